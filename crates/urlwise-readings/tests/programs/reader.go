// What net/url sees in each text of standard input; form of input and output as in readers.py.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"strings"
)

func field(value string) string { return "=" + hex.EncodeToString([]byte(value)) }

func optional(value string, there bool) string {
	if !there {
		return "-"
	}
	return field(value)
}

func read(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "error"
	}
	user, password, _ := strings.Cut(u.User.String(), ":")
	_, hasPassword := u.User.Password()
	host := u.Hostname()
	if strings.HasPrefix(u.Host, "[") {
		host = "[" + host + "]"
	}
	path := u.EscapedPath()
	if u.Opaque != "" {
		path = u.Opaque
	}
	return strings.Join([]string{
		field(u.Scheme), optional(user, u.User != nil), optional(password, hasPassword), optional(host, host != ""),
		optional(u.Port(), u.Port() != ""), field(path), optional(u.RawQuery, u.RawQuery != "" || u.ForceQuery),
		optional(u.EscapedFragment(), u.Fragment != ""),
	}, " ")
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for lines.Scan() {
		text, err := hex.DecodeString(lines.Text())
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(out, read(string(text)))
	}
}
