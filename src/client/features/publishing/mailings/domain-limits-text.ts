import { receivingDomainSchema } from '#shared/contracts/publishing/sending-settings.ts'

/** Limits by receiving domain as lines of text, "gmail.com 2000", for a person to edit. */
export const formatDomainLimits = (perDomainHour: Readonly<Record<string, number>>): string =>
  Object.entries(perDomainHour)
    .map(([domain, emails]) => `${domain} ${emails}`)
    .join('\n')

type ParsedLimits = { limits: Record<string, number>; unclear: string | null }

/** `unclear` is the first line that can't be parsed. */
export function parseDomainLimits(text: string): ParsedLimits {
  const limits: Record<string, number> = {}
  let unclear: string | null = null
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue
    const [, domain, emails = ''] = /^@?([^\s:=@]+)[\s:=]+([\d,]+)$/.exec(line) ?? []
    const count = Number(emails.replaceAll(',', ''))
    const receiving = receivingDomainSchema.safeParse(domain)
    if (receiving.success && count > 0) limits[receiving.data] = count
    else unclear ??= line
  }
  return { limits, unclear }
}
