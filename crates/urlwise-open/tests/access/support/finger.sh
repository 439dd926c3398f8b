#!/bin/sh
# What fingerd runs instead of finger, so that the answer does not depend on who is logged in.
long=
for word; do
    case $word in
    -l) long=yes ;;
    -*) ;;
    joe) printf 'Login: joe\t\t\tName: Joe Doe\n'; [ -z "$long" ] || printf 'Plan:\nTo be on time.\n'; found=yes ;;
    *) printf 'finger: %s: no such user.\n' "$word"; found=yes ;;
    esac
done
[ -n "$found" ] || printf 'Login    Name\njoe      Joe Doe\n'
