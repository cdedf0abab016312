import { dayMs } from '#shared/domain/durations.ts'

/** RFC 9116 recommends less than a year. The file is written anew with each request. */
const validDays = 180

/** Text of `/.well-known/security.txt` (RFC 9116). `contact` is an address or an https page. */
export function securityText({ contact, origin, now }: { contact: string; origin: string; now: Date }): string {
  const today = Math.floor(now.getTime() / dayMs) * dayMs
  const expires = new Date(today + validDays * dayMs).toISOString().replace('.000', '')
  return [
    `Contact: ${contact.startsWith('https://') ? contact : `mailto:${encodeURI(contact)}`}`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: ${origin}/.well-known/security.txt`,
    '',
  ].join('\n')
}
