import { expect, test } from 'vitest'
import { checkSender, type SenderDomain } from './check-sender.ts'

const domain = 'news.shop.test'
const dkim = { domain, selector: 'fc1', publicKey: 'MIIBkey' }
const validRecords: Record<string, string[][]> = {
  [domain]: [['some-verification=1'], ['v=spf1 include:_spf.', 'provider.test -all']],
  [`fc1._domainkey.${domain}`]: [['v=DKIM1; k=rsa; p=MII', 'Bkey']],
  '_dmarc.shop.test': [['v=DMARC1; p=quarantine']],
}
const notFound = Object.assign(new Error('queryTxt ENOTFOUND'), { code: 'ENOTFOUND' })

const check = async (records: Record<string, string[][] | Error>, more: Partial<SenderDomain> = {}) => {
  const all = { ...validRecords, ...records }
  const resolveTxt = async (name: string) => {
    const found = all[name] ?? notFound
    if (found instanceof Error) throw found
    return found
  }
  return (await checkSender({ domain, dkim, resolveTxt, ...more })).map(
    ({ severity, check: of, message }) => `${severity} ${of}: ${message}`,
  )
}

test('a domain with SPF, its DKIM key and a policy on its parent domain passes', async () => {
  expect(await check({})).toEqual([])
})

test.each<[string, string, string[][]]>([
  ['has no SPF record', domain, [['v=spf10 -all']]],
  ['has 2 SPF records', domain, [['v=spf1 -all'], ['v=spf1 mx -all']]],
  ['lets anyone send for it', domain, [['v=spf1 mx +all']]],
  ['lets anyone send for it', domain, [['v=spf1 all']]],
  ['There is no DKIM key at', `fc1._domainkey.${domain}`, [['v=DKIM1']]],
  ['was revoked', `fc1._domainkey.${domain}`, [['v=DKIM1; p=']]],
  ['doesn’t match the key that emails are signed with', `fc1._domainkey.${domain}`, [['v=DKIM1; p=MIIBother']]],
  ['has no DMARC policy', '_dmarc.shop.test', [['v=spf1 -all']]],
  ['has 2 policies', '_dmarc.shop.test', [['v=DMARC1; p=none'], ['v=DMARC1; p=reject']]],
])('each problem is one error: %s', async (words, name, records) => {
  expect(await check({ [name]: records })).toEqual([expect.stringMatching(new RegExp(`^error .*${words}`))])
})

test('emails without a key, or signed by another domain, are reported', async () => {
  expect(await check({}, { dkim: null })).toEqual([
    'error dkim: Emails aren’t signed because no DKIM key is configured',
  ])
  const key = { 'fc1._domainkey.provider.test': [['p=MIIBkey']] }
  expect(await check(key, { dkim: { ...dkim, domain: 'provider.test' } })).toEqual([
    expect.stringContaining('signed by provider.test, so DMARC ignores the signature'),
  ])
})

test('a failed lookup is a warning, not an error', async () => {
  const timeout = Object.assign(new Error('queryTxt ETIMEOUT'), { code: 'ETIMEOUT' })
  expect(await check({ [domain]: timeout })).toEqual([
    `warning spf: ${domain} couldn’t be looked up. Run the checks again`,
  ])
})
