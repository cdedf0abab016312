/** Limits by receiving domain as lines of text, "gmail.com 2000", for a person to edit. */
export const paceText = (perDomainHour: Readonly<Record<string, number>>): string =>
  Object.entries(perDomainHour)
    .map(([domain, mails]) => `${domain} ${mails}`)
    .join('\n')

/** Lines that say nothing are left out. */
export function parsePaceText(text: string): Record<string, number> {
  const limits: Record<string, number> = {}
  for (const line of text.split('\n')) {
    const [, domain, mails] = /^\s*([^\s:=]+)[\s:=]+(\d+)\s*$/.exec(line) ?? []
    if (domain && mails && Number(mails) > 0) limits[domain.toLowerCase()] = Number(mails)
  }
  return limits
}
