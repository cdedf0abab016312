#!/usr/bin/env bash
# node-ofx-parser 0.5.1 escapes names anew, and ofx-data-extractor 1.5.0 mixes its own JSON into them.
#
# In OFX 1 an "&" in a name is written "&amp;" (OFX 1.6, 2.3.2), end tags of single values are optional, and a line break
# isn't needed between elements. node-ofx-parser returns "A &amp;amp;amp; B", and refuses a file in which some elements are
# ended and some aren't. ofx-data-extractor leaves "&amp;", turns a name that ends in a brace or a bracket into one with a
# comma, and refuses two elements on a line. It says nothing. ofx-js 1.1.1 reads all of them.
#
# Seen on 2026-11-30, Node 24:
#   <NAME>A &amp; B        node-ofx-parser "A &amp;amp;amp; B"    ofx-data-extractor "A &amp; B"
#   <NAME>Dues {May}       node-ofx-parser "Dues {May}"           ofx-data-extractor "Dues May},"
#   <NAME>Dues [5]         node-ofx-parser "Dues [5]"             ofx-data-extractor "Dues [5],"
#   <NAME>A</NAME>         node-ofx-parser an error               ofx-data-extractor "A"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node-ofx-parser@0.5.1 ofx-data-extractor@1.5.0 ofx-js@1.1.1
cat >check.mjs <<'JS'
import { deepStrictEqual, throws } from 'node:assert'
import nodeOfxParser from 'node-ofx-parser'
import { Ofx } from 'ofx-data-extractor'
import { parseSync } from 'ofx-js'

const header = ['OFXHEADER:100', 'DATA:OFXSGML', 'VERSION:102', 'SECURITY:NONE', 'ENCODING:USASCII', 'CHARSET:1252']
header.push('COMPRESSION:NONE', 'OLDFILEUID:NONE', 'NEWFILEUID:NONE', '')
const status = ['<STATUS>', '<CODE>0', '<SEVERITY>INFO', '</STATUS>']
const statementOf = (name) => [
  ...['<OFX>', '<SIGNONMSGSRSV1>', '<SONRS>', ...status, '<DTSERVER>20261130', '<LANGUAGE>ENG', '</SONRS>', '</SIGNONMSGSRSV1>'],
  ...['<BANKMSGSRSV1>', '<STMTTRNRS>', '<TRNUID>1', ...status, '<STMTRS>', '<CURDEF>USD'],
  ...['<BANKACCTFROM>', '<BANKID>1', '<ACCTID>001', '<ACCTTYPE>CHECKING', '</BANKACCTFROM>'],
  ...['<BANKTRANLIST>', '<DTSTART>20261101', '<DTEND>20261130'],
  ...['<STMTTRN>', '<TRNTYPE>DEBIT', '<DTPOSTED>20261102', '<TRNAMT>-9.50', '<FITID>1', name, '</STMTTRN>', '</BANKTRANLIST>'],
  ...['<LEDGERBAL>', '<BALAMT>1.00', '<DTASOF>20261130', '</LEDGERBAL>', '</STMTRS>', '</STMTTRNRS>', '</BANKMSGSRSV1>', '</OFX>'],
]
const nameIn = (parsed) => parsed.OFX.BANKMSGSRSV1.STMTTRNRS.STMTRS.BANKTRANLIST.STMTTRN.NAME
for (const [name, right, first, second] of [
  ['<NAME>A &amp; B', 'A & B', 'A &amp;amp;amp; B', 'A &amp; B'],
  ['<NAME>Dues {May}', 'Dues {May}', 'Dues {May}', 'Dues May},'],
  ['<NAME>Dues [5]', 'Dues [5]', 'Dues [5]', 'Dues [5],'],
  ['<NAME>A</NAME>', 'A', undefined, 'A'],
]) {
  const text = [...header, ...statementOf(name)].join('\n')
  const extracted = new Ofx(text).getBankTransferList()[0].NAME
  console.log(name, '→ ofx-data-extractor', extracted, 'ofx-js', nameIn(parseSync(text)))
  if (first) deepStrictEqual(nameIn(nodeOfxParser.parse(text)), first)
  else throws(() => nodeOfxParser.parse(text), /Error while parsing/)
  deepStrictEqual(extracted, second)
  deepStrictEqual(nameIn(parseSync(text)), right)
}
const oneLine = `${header.join('\n')}\n${statementOf('<NAME>A').join('')}`
deepStrictEqual(nameIn(parseSync(oneLine)), 'A')
throws(() => new Ofx(oneLine).getBankTransferList(), SyntaxError)
JS
node check.mjs
echo 'unchanged: names are escaped anew, or get a comma'
