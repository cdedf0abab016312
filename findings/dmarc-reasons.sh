#!/usr/bin/env bash
# dmarc-report-parser 0.1.5 refuses reports with a reason, and dmarc-parse 1.2.1 policies with two reporting options.
#
# A receiver that doesn't apply a domain's policy, as for a mailing list, says so in <reason>, any number of times in
# a record (RFC 7489, appendix C). The parser's schema lists the same reasons, and expects a text where its XML parser
# gives a list: a reason in one record is enough, and no record of that report is returned. The tag fo is a list with colons
# (6.3). dmarc-parse calls "1:d:s" invalid and leaves it out.
#
# Seen on 2026-11-30, Node 24:
#   no reason                                          one record
#   <reason><type>mailing_list</type></reason>         an error: received array
#   v=DMARC1; p=none; fo=1                             fo "1"
#   v=DMARC1; p=none; fo=1:d:s                         no fo, "Invalid value for 'fo'"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent dmarc-report-parser@0.1.5 dmarc-parse@1.2.1
cat >check.mjs <<'JS'
import { deepStrictEqual, rejects, strictEqual } from 'node:assert'
import parsePolicy from 'dmarc-parse'
import { parseDmarcReportsFromXml } from 'dmarc-report-parser'

const reportWith = (reason) => `<?xml version="1.0"?><feedback>
<report_metadata><org_name>B</org_name><email>r@b.example</email><report_id>1</report_id>
<date_range><begin>1793491200</begin><end>1793577599</end></date_range></report_metadata>
<policy_published><domain>a.example</domain><p>reject</p></policy_published>
<record><row><source_ip>192.0.2.1</source_ip><count>2</count>
<policy_evaluated><disposition>none</disposition><dkim>fail</dkim><spf>fail</spf>${reason}</policy_evaluated></row>
<identifiers><header_from>a.example</header_from></identifiers>
<auth_results><spf><domain>b.example</domain><result>pass</result></spf></auth_results></record>
</feedback>`
const { reports } = await parseDmarcReportsFromXml([reportWith('')])
strictEqual(reports[0].record.length, 1)
await rejects(parseDmarcReportsFromXml([reportWith('<reason><type>mailing_list</type></reason>')]), (error) => {
  console.log(error.message)
  return /mailing_list/.test(error.message) && /received array/.test(error.message)
})

for (const [policy, fo, messages] of [
  ['v=DMARC1; p=none; fo=1', '1', undefined],
  ['v=DMARC1; p=none; fo=1:d:s', undefined, ["Invalid value for 'fo': '1:d:s', must be one of: 0, 1, d, s"]],
]) {
  const found = parsePolicy(policy)
  console.log(policy, '→', found.tags.fo?.value, found.messages)
  strictEqual(found.tags.fo?.value, fo)
  deepStrictEqual(found.messages, messages)
}
JS
node check.mjs
echo 'unchanged: a reason makes a report unreadable, and a list of options is called invalid'
