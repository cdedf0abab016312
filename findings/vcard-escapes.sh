#!/usr/bin/env bash
# ical.js 2.2.1 keeps the backslash of an escaped semicolon in a vCard's note, and vcf 2.1.2 keeps every escape and splits
# quoted parameters at a semicolon.
#
# Commas in a text are escaped, semicolons may be, and line breaks are "\n" (RFC 6350, 3.4). ical.js takes the backslash
# away before a comma and before "n", but not before a semicolon. vcf returns the text as it is in the file, so a contact
# shows "\n". In vcf, LABEL="1 Main St; Town" becomes a label '"1 Main St' and a type ' town"'. vcard4 4.0.5 reads the note.
#
# Seen on 2026-11-30, Node 24:
#   NOTE:a\, b\; c\nd        ical.js "a, b\\; c\nd"   vcf "a\\, b\\; c\\nd"   vcard4 "a, b; c\nd"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent ical.js@2.2.1 vcf@2.1.2 vcard4@4.0.5
cat >check.mjs <<'JS'
import { deepStrictEqual } from 'node:assert'
import ICAL from 'ical.js'
import vCard from 'vcf'
import { parse } from 'vcard4'

const cardOf = (line) => `BEGIN:VCARD\r\nVERSION:4.0\r\nFN:A\r\n${line}\r\nEND:VCARD\r\n`
const note = cardOf('NOTE:a\\, b\\; c\\nd')
const found = {
  'ical.js': ICAL.parse(note)[1].at(-1).at(-1),
  vcf: vCard.parse(note)[0].get('note').valueOf(),
  vcard4: parse(note).parsedVcard.find(({ property }) => property === 'NOTE').value,
}
console.log(found)
deepStrictEqual(found, { 'ical.js': 'a, b\\; c\nd', vcf: 'a\\, b\\; c\\nd', vcard4: 'a, b; c\nd' })

const address = cardOf('ADR;LABEL="1 Main St; Town":;;1 Main St;Town;;;US')
const { label, type } = vCard.parse(address)[0].get('adr')
console.log({ label, type })
deepStrictEqual({ label, type }, { label: '"1 Main St', type: ' town"' })
JS
node check.mjs
echo 'unchanged: escapes stay, and quoted parameters are split'
