import { isIP } from 'node:net'
import { type Finding, ok, type SetupSystem, todo } from './setup-system.ts'

/** Compares the domain's A and AAAA records with this server's addresses. */
export async function checkDomain(
  { dns, addresses }: Pick<SetupSystem, 'dns' | 'addresses'>,
  domain: string,
  given: readonly string[],
): Promise<Finding> {
  const here = given.length > 0 ? given : addresses().filter(isPublic)
  const found = await Promise.all([recordsOf(dns.resolve4, domain), recordsOf(dns.resolve6, domain)])
  if (found.includes(null)) return todo('Domain', `${domain} couldn’t be looked up. Run setup again.`)
  const records = found.flatMap((each) => each ?? [])
  if (records.length === 0) return todo('Domain', `Add an A record for ${domain} with ${wanted(here)}.`)
  if (here.length === 0) {
    return todo(
      'Domain',
      `${domain} leads to ${records.join(', ')}. This server has no public address of its own: compare it with --address.`,
    )
  }
  const wrong = records.filter((record) => !here.includes(record))
  if (wrong.length === 0) return ok('Domain', `${domain} leads to this server.`)
  return todo('Domain', `${domain} leads to ${wrong.join(', ')}. Change the record to ${wanted(here)}.`)
}

const wanted = (here: readonly string[]): string => here.join(' or ') || 'this server’s address'

/** Null if the lookup failed. */
async function recordsOf(resolve: (name: string) => Promise<string[]>, name: string): Promise<string[] | null> {
  try {
    return await resolve(name)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : null
  }
}

const privateRanges = /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./

const isPublic = (address: string): boolean =>
  isIP(address) === 4 ? !privateRanges.test(address) : /^[23]/.test(address)
