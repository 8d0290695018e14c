#!/usr/bin/env bash
# Builds the two profiles by which `gridpress export --for drivethru` and `--for press` go to four
# inks, from free characterisation data: at most 240 % of ink, black to 100 %.
#
#     docs/cmyk_profiles.sh FOLDER-OF-TI3-FILES
#
# The data, FOGRA39L.ti3 and TR003.ti3, are in Debian's package icc-profiles-free (2.0.1, zlib
# licence), colprof is ArgyllCMS (2.3.1). The date in the profiles is set to that of the data, so
# that the same data give the same profile. The licences: generator/export/profiles/LICENCES.txt.
set -euo pipefail
data=$1
here=$(cd "$(dirname "$0")/../generator/export/profiles" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build() { # data, name, description, copyright, year
	cp "$data/$1.ti3" "$work/$1.ti3"
	colprof -qm -bl -l 240 -L 100 -D "$3" -C "$4" -O "$work/$2.icc" "$work/$1"
	python3 - "$work/$2.icc" "$here/$2.icc" "$5" <<-'PYTHON'
		import sys
		source, target, year = sys.argv[1:]
		profile = bytearray(open(source, "rb").read())
		profile[24:36] = int(year).to_bytes(2, "big") + b"\0\1\0\1" + bytes(6)
		profile[84:100] = bytes(16)
		open(target, "wb").write(profile)
	PYTHON
}
build FOGRA39L fogra39-240 "FOGRA39L coated, ink 240 %, built by Gridpress" \
	"From characterisation data FOGRA39L of Fogra; zlib licence" 2006
build TR003 swop3-240 "SWOP grade 3 coated (ANSI/CGATS/SWOP TR 003-2007), ink 240 %, built by Gridpress" \
	"Source of the characterisation data: ANSI/CGATS/SWOP TR 003-2007, Copyright 2007 NPES; zlib licence" 2007
