#!/bin/sh
# A new access token. The token itself goes to the terminal, once and for its client alone; the lines for the servers' file,
# with nothing but its hash, go to where the output does:
#
#     mkdir -p deploy/tokens && deploy/token.sh front-end >> deploy/tokens/tokens.toml
set -eu
name=${1:?"expected a name for who gets the token"}
case $name in *[!A-Za-z0-9_-]*) echo "expected a name of letters, digits, _ and -, got $name" >&2; exit 2 ;; esac
token=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
digest=$(printf %s "$token" | sha256sum | cut -d ' ' -f 1)
printf '[%s]\nsha256 = "%s"\n# calls_per_minute = 600\n# calls_at_a_time = 50\n# accounts = "own"\n\n' "$name" "$digest"
printf '%s\n' "$token" >&2
