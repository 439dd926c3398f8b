#!/bin/sh
# What the telnet servers of the tests run instead of a login: it prints what it knows about the terminal, then repeats lines.
echo "user=$1 TERM=$TERM"
sleep 0.3 # telnetd asks for the size while this runs
stty size
while printf '? ' && IFS= read -r line; do
    case $line in
    bye) echo so long; sleep 0.2; exit 0 ;; # telnetd loses what comes with the end
    size) stty size ;;
    secret) stty -echo; printf 'Password: '; IFS= read -r line; stty echo; echo; echo "that has ${#line}" ;;
    iac) printf 'before\377after\n' ;;
    cr) printf 'one\rtwo\n' ;;
    title) printf '\033]0;owned\007done\n' ;;
    wait) trap 'echo interrupted' INT; sleep 20; trap - INT ;;
    *) printf 'you said: %s\n' "$line" | cat -v ;;
    esac
done
