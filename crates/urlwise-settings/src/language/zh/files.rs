//! Files and mistakes in them.

#[rustfmt::skip]
pub(super) const FILES: &[(&str, &str)] = &[
    ("{text}: {message}", "{text}：{message}"),
    ("{sentence}; {help}", "{sentence}；{help}"),
    ("cannot read {name}: {why}", "无法读取{name}：{why}"),
    ("{name} is longer than {count} MiB", "{name}超过{count} MiB"),
    ("{name} is not a regular file", "{name}不是普通文件"),
    ("{path} is writable by others but may name programs to run", "{path}可以指定要运行的程序，但其他用户可写入"),
    ("remove that permission, as in `chmod go-w`", "请取消该权限，例如`chmod go-w`"),
    ("{path} belongs to another user but may name programs to run", "{path}可以指定要运行的程序，但属于其他用户"),
    ("use a file of your own", "请使用自己的文件"),
    ("`server` and `sendmail` cannot be used together", "`server`和`sendmail`不能同时使用"),
    ("use a program name or an absolute path", "请使用程序名或绝对路径"),
];
