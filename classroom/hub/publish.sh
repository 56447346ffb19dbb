#!/bin/sh
# Publish the course, as it is committed here, to students: publish.sh REPOSITORY MESSAGE
# REPOSITORY is a bare git repository with the history of the student edition; it is made if it isn't there.
set -eu
repository=$1 message=$2
course=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

[ -d "$repository" ] || git init --quiet --bare --initial-branch=main "$repository"
python3 "$course/practice/judge.py" release "$scratch/edition"
into() { git -c user.name=course -c user.email=course@localhost --git-dir="$repository" --work-tree="$scratch/edition" "$@"; }
into add --all
into diff --cached --quiet || into commit --quiet --message "$message"
