#!/usr/bin/env bash
# exceljs 4.4.0 reads ISO dates as a day in 1905, xlsx-populate 1.21.0 as no number, and xlstream 2.5.5 is four years off in
# workbooks that count from 1904.
#
# A cell of the type "d" holds a date in ISO 8601 (ISO/IEC 29500-1, 18.18.11). exceljs takes its year for a day number, so
# every day of 2026 is July 18, 1905. A number with a literal "d" in its format, as in 5.0d, becomes a date there. date1904
# moves the first day (18.2.28), and xlstream formats dates without it. Its texts that a formula made lose their zeros if
# they look like numbers. @e965/xlsx 0.20.3 reads all of them.
#
# Seen on 2026-11-30, Node 24:
#   <c t="d"><v>2026-11-30</v></c>         exceljs 1905-07-18, xlsx-populate NaN
#   5 with the format 0.0\d                exceljs 1900-01-04
#   44894 as a date, date1904              xlstream 11/29/22 for 11/30/26
#   <c t="str"><f>…</f><v>007</v></c>      xlstream 7
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent exceljs@4.4.0 xlsx-populate@1.21.0 xlstream@2.5.5 @e965/xlsx@0.20.3 jszip@3.10.2
cat >check.mjs <<'JS'
import { strictEqual } from 'node:assert'
import { writeFileSync } from 'node:fs'
import * as XLSX from '@e965/xlsx'
import ExcelJS from 'exceljs'
import JSZip from 'jszip'
import XlsxPopulate from 'xlsx-populate'
import { getXlsxStream } from 'xlstream'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const parts = 'http://schemas.openxmlformats.org/package/2006'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const relationship = (id, type, target) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`
const relationships = (...all) => `<Relationships xmlns="${parts}/relationships">${all.join('')}</Relationships>`
const override = (name, type) => `<Override PartName="/xl/${name}" ContentType="${spreadsheet}.${type}+xml"/>`

async function workbookOf(cell, date1904) {
  const format = (id) => `<xf numFmtId="${id}" applyNumberFormat="1"/>`
  const files = {
    '[Content_Types].xml': `<Types xmlns="${parts}/content-types">
      <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
      ${override('workbook.xml', 'sheet.main')}${override('worksheets/sheet1.xml', 'worksheet')}
      ${override('styles.xml', 'styles')}${override('sharedStrings.xml', 'sharedStrings')}</Types>`,
    '_rels/.rels': relationships(relationship('r1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr date1904="${date1904}"/>
      <sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(
      relationship('r1', 'worksheet', 'worksheets/sheet1.xml'),
      relationship('r2', 'styles', 'styles.xml'),
      relationship('r3', 'sharedStrings', 'sharedStrings.xml'),
    ),
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="170" formatCode="0.0\\d"/></numFmts>
      <fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders>
      <cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3">${format(0)}${format(14)}${format(170)}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${main}"/>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData><row r="1">${cell}</row></sheetData></worksheet>`,
  }
  const zip = new JSZip()
  for (const [name, text] of Object.entries(files)) zip.file(name, `<?xml version="1.0"?>${text}`)
  return zip.generateAsync({ type: 'nodebuffer' })
}

const read = {
  exceljs: async (file) => (await new ExcelJS.Workbook().xlsx.load(file)).worksheets[0].getCell('A1').value,
  'xlsx-populate': async (file) => (await XlsxPopulate.fromDataAsync(file)).sheet(0).cell('A1').value(),
  xlstream: async (file) => {
    writeFileSync('a.xlsx', file)
    for await (const row of await getXlsxStream({ filePath: 'a.xlsx', sheet: 0 })) return row.formatted.arr[0]
  },
  sheetjs: async (file) => XLSX.read(file, { cellDates: true }).Sheets.A.A1.v,
}
const text = (value) => (value instanceof Date ? value.toISOString().slice(0, 10) : value)
for (const [cell, date1904, library, seen, right] of [
  ['<c r="A1" t="d" s="1"><v>2026-11-30</v></c>', 0, 'exceljs', '1905-07-18', '2026-11-30'],
  ['<c r="A1" t="d" s="1"><v>2026-11-30</v></c>', 0, 'xlsx-populate', Number.NaN, '2026-11-30'],
  ['<c r="A1" s="2"><v>5</v></c>', 0, 'exceljs', '1900-01-04', 5],
  ['<c r="A1" s="1"><v>44894</v></c>', 1, 'xlstream', '11/29/22', '2026-11-30'],
  ['<c r="A1" t="str"><f>"00"&amp;7</f><v>007</v></c>', 0, 'xlstream', 7, '007'],
]) {
  const file = await workbookOf(cell, date1904)
  const found = text(await read[library](file))
  console.log(cell, '→', library, found, 'sheetjs', text(await read.sheetjs(file)))
  strictEqual(found, seen)
  strictEqual(text(await read.sheetjs(file)), right)
}
JS
TZ=UTC node check.mjs
echo 'unchanged: ISO dates are in 1905 or NaN, and dates counted from 1904 are four years off'
