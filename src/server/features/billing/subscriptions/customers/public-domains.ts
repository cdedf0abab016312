import { words } from '#shared/domain/words.ts'

/** Domains at which anyone can get an address and that free-email-domains lacks. */
const morePublicDomains: ReadonlySet<string> = new Set(words('hey.com keemail.me tuta.com tutamail.com tutanota.com'))

/** Its 14,000 names are only read when they are asked for. */
export async function isPublicDomain(domain: string): Promise<boolean> {
  const { default: publicDomains } = await import('free-email-domains')
  return publicDomains.includes(domain) || morePublicDomains.has(domain)
}
