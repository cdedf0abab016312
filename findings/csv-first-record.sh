#!/usr/bin/env bash
# comma-separated-values 3.6.4 takes a column's type from its first record: texts below a number or an empty field are NaN.
#
# The README promises full RFC 4180 compliance and, by default, that numbers and booleans are cast. The cast is chosen
# once: if the first member has no note, every note becomes NaN, and empty fields become 0. The words true and false stay
# text. The delimiter is the sign that is most frequent, so a comma file whose texts hold more semicolons raises a
# TypeError. csv-parse 7.0.3 keeps the fields.
#
# Seen on 2026-11-30, Node 24:
#   name,note / Ann, / Bo,Paid by check     { Ann, 0 }, { Bo, NaN }
#   name,unit / Ann,12 / Bo,12B             { Ann, 12 }, { Bo, NaN }
#   name,tip  / Ann,5 / Bo,                 { Ann, 5 }, { Bo, 0 }
#   name,days / Ann,Mo;Tu;We;Th             Cannot read properties of undefined
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent comma-separated-values@3.6.4 csv-parse@7.0.3
cat >check.mjs <<'JS'
import { deepStrictEqual, throws } from 'node:assert'
import CSV from 'comma-separated-values'
import { parse } from 'csv-parse/sync'

for (const [text, seen] of [
  ['name,note\r\nAnn,\r\nBo,Paid by check\r\n', [0, Number.NaN]],
  ['name,unit\r\nAnn,12\r\nBo,12B\r\n', [12, Number.NaN]],
  ['name,tip\r\nAnn,5\r\nBo,\r\n', [5, 0]],
  ['name,paid\r\nAnn,true\r\nBo,false\r\n', ['true', 'false']],
]) {
  const found = CSV.parse(text, { header: true }).map((record) => Object.values(record)[1])
  console.log(JSON.stringify(text), '→', found, 'csv-parse', parse(text, { from_line: 2 }).map((record) => record[1]))
  deepStrictEqual(found, seen)
}
const days = 'name,days\r\nAnn,Mo;Tu;We;Th\r\n'
throws(() => CSV.parse(days, { header: true }), TypeError)
deepStrictEqual(parse(days)[1], ['Ann', 'Mo;Tu;We;Th'])
JS
node check.mjs
echo 'unchanged: the first record decides on the type, and empty fields are 0'
