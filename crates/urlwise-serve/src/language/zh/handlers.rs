//! The page that offers the gateway to the browser.

#[rustfmt::skip]
pub(super) const HANDLERS: &[(&str, &str)] = &[
    ("In this browser", "在此浏览器中"),
    ("This gateway runs on a random port, and the next one will have another, so a browser cannot be pointed here.", "此网关的端口是随机的，下一个网关会用另一个端口，因此无法在浏览器中注册。"),
    ("Start it on a port of your choice, as in `urlwise serve --port 8017`, and this page lets you register it.", "像`urlwise serve --port 8017`那样指定端口启动，即可在此页面注册。"),
    ("On this desktop", "在此桌面上"),
    ("Browsers let pages register for a few schemes only. The desktop can open all of them, on any port and without a script: run `urlwise register` in a terminal. It asks about each scheme; `--dry-run` shows what it would write.", "浏览器只允许页面注册少数方案。桌面可以打开全部方案，不限端口，也不需要脚本：在终端中运行`urlwise register`。它会逐个方案询问；`--dry-run`显示将写入的内容。"),
    ("The browser asks you to confirm each scheme, and lists it in its settings, where you can remove it. Links then lead to this gateway, which asks before it opens anything. It has to run on this port.", "浏览器会要求确认每个方案，并将其列在设置中，可在那里删除。此后链接由此网关打开，网关在打开任何内容之前都会询问。网关必须在此端口上运行。"),
    ("Open {scheme} links", "打开{scheme}链接"),
    ("This browser does not let pages register, or runs no scripts.", "此浏览器不允许页面注册，或不运行脚本。"),
    ("The browser now asks about {scheme}, unless you answered before.", "浏览器现在会询问{scheme}，除非之前已回答过。"),
    ("The browser refuses {scheme}: {cause}", "浏览器拒绝了{scheme}：{cause}"),
];
