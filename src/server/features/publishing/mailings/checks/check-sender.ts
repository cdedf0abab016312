import type { ListSender } from '#server/features/publishing/sending-settings/sending-settings.ts'
import type { Problem } from './mailing-problem.ts'

/** Like `dns.resolveTxt`: rejects with `code` ENOTFOUND or ENODATA if there are no records. */
export type TxtResolver = (name: string) => Promise<string[][]>

export type SenderDomain = {
  /** Domain of the From address. */
  domain: string
  /** DKIM selector and the public key that matches our private key, as in `p=`; null if emails aren't signed. */
  dkim: { domain: string; selector: string; publicKey: string } | null
  resolveTxt: TxtResolver
}

/** Checks the SPF, DKIM and DMARC records of the sender's domain. */
export async function checkSender(sender: SenderDomain): Promise<Problem[]> {
  const problems = await Promise.all([checkSpf(sender), checkDkim(sender), checkDmarc(sender)])
  return problems.flatMap((problem) => problem ?? [])
}

/** CAN-SPAM: every commercial email carries the sender's postal address. */
export const checkPostalAddress = ({ postalAddress }: Pick<ListSender, 'postalAddress'>): Problem[] =>
  postalAddress
    ? []
    : [
        {
          severity: 'error',
          check: 'postal-address',
          message:
            'Add your postal address in newsletter settings. US law (CAN-SPAM) requires it in every email to a list.',
          place: null,
        },
      ]

type Check = Extract<Problem['check'], 'spf' | 'dkim' | 'dmarc'>
const problem = (check: Check, severity: Problem['severity'], message: string): Problem => ({
  severity,
  check,
  message,
  place: null,
})

/** Null if the lookup failed. */
async function recordsAt(name: string, resolveTxt: TxtResolver): Promise<string[] | null> {
  try {
    return (await resolveTxt(name)).map((pieces) => pieces.join(''))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : null
  }
}

const unknown = (check: Check, name: string) =>
  problem(check, 'warning', `${name} couldn’t be looked up. Run the checks again`)

async function checkSpf({ domain, resolveTxt }: SenderDomain): Promise<Problem | null> {
  const records = await recordsAt(domain, resolveTxt)
  if (records === null) return unknown('spf', domain)
  const policies = records.filter((record) => /^v=spf1(?: |$)/i.test(record))
  const [policy] = policies
  if (!policy)
    return problem('spf', 'error', `${domain} has no SPF record, so receivers can’t tell who may send for it`)
  if (policies.length > 1)
    return problem('spf', 'error', `${domain} has ${policies.length} SPF records, so receivers ignore all of them`)
  if (/\s\+?all\b/i.test(policy)) return problem('spf', 'error', `The SPF record of ${domain} lets anyone send for it`)
  return null
}

async function checkDkim({ dkim, resolveTxt }: SenderDomain): Promise<Problem | null> {
  if (!dkim) return problem('dkim', 'error', 'Emails aren’t signed because no DKIM key is configured')
  const name = `${dkim.selector}._domainkey.${dkim.domain}`
  const records = await recordsAt(name, resolveTxt)
  if (records === null) return unknown('dkim', name)
  const keys = records.flatMap((record) => /(?:^|;)\s*p=([^;]*)/.exec(record)?.[1]?.replace(/\s/g, '') ?? [])
  const [key] = keys
  if (key === undefined) return problem('dkim', 'error', `There is no DKIM key at ${name}`)
  if (key === '') return problem('dkim', 'error', `The DKIM key at ${name} was revoked`)
  if (key !== dkim.publicKey)
    return problem('dkim', 'error', `The DKIM key at ${name} doesn’t match the key that emails are signed with`)
  return null
}

/** The policy of a parent domain applies to its subdomains. */
async function checkDmarc({ domain, dkim, resolveTxt }: SenderDomain): Promise<Problem | null> {
  const labels = domain.split('.')
  const domains = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
  for (const each of domains) {
    const records = await recordsAt(`_dmarc.${each}`, resolveTxt)
    if (records === null) return unknown('dmarc', `_dmarc.${each}`)
    const policies = records.filter((record) => /^v=DMARC1\b/i.test(record))
    if (policies.length > 1)
      return problem(
        'dmarc',
        'error',
        `_dmarc.${each} has ${policies.length} policies, so receivers ignore all of them`,
      )
    if (policies.length === 1) return dkim && !sameFamily(domain, dkim.domain) ? misaligned(domain, dkim.domain) : null
  }
  return problem('dmarc', 'error', `${domain} has no DMARC policy, which Gmail and Yahoo require from bulk senders`)
}

const sameFamily = (one: string, other: string) =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
const misaligned = (domain: string, signer: string) =>
  problem('dmarc', 'error', `Emails come from ${domain} but are signed by ${signer}, so DMARC ignores the signature`)
