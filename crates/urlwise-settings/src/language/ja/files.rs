//! Files and mistakes in them.

#[rustfmt::skip]
pub(super) const FILES: &[(&str, &str)] = &[
    ("{text}: {message}", "{text}：{message}"),
    ("{sentence}; {help}", "{sentence}。{help}"),
    ("cannot read {name}: {why}", "{name}を読めない：{why}"),
    ("{name} is longer than {count} MiB", "{name}は{count} MiBより長い"),
    ("{name} is not a regular file", "{name}は通常のファイルではない"),
    ("{path} is writable by others but may name programs to run", "{path}は実行するプログラムを指定できるのに、他のユーザも書き込める"),
    ("remove that permission, as in `chmod go-w`", "`chmod go-w`のように、その権限を取り除く"),
    ("{path} belongs to another user but may name programs to run", "{path}は実行するプログラムを指定できるのに、別のユーザのものである"),
    ("use a file of your own", "自分のファイルを使う"),
    ("`server` and `sendmail` cannot be used together", "`server`と`sendmail`は同時に使えない"),
    ("use a program name or an absolute path", "プログラムの名前か絶対パスを使う"),
];
