import { createPublicKey } from 'node:crypto'
import { checkSender } from '#server/features/publishing/mailings/checks/check-sender.ts'
import { openSmtpConnection } from '#server/mail/smtp-connection.ts'
import type { Variables } from './environment-file.ts'
import { type Finding, failed, ok, type SetupSystem, todo } from './setup-system.ts'

/** Signs in to the mail server as the server will, and sends nothing. */
export async function checkSmtp(url: string): Promise<Finding> {
  const { host, username } = new URL(url)
  try {
    const connection = await openSmtpConnection({ url, timeoutMs: 20_000 })
    connection.quit()
    return ok('Mail', username ? `Signed in to ${host}.` : `Connected to ${host}.`)
  } catch (error) {
    const { code, responseCode } = error as { code?: string; responseCode?: number }
    if (code === 'EAUTH' || responseCode === 535) {
      return failed('Mail', `${host} doesn’t accept this user name and password. Correct SMTP_URL.`)
    }
    return failed(
      'Mail',
      `${host} can’t be reached (${code ?? 'no answer'}). Check SMTP_URL, and that your host lets email out.`,
    )
  }
}

export type DkimKey = { domain: string; selector: string; publicKey: string }

/** The DKIM key as published in DNS. */
export function dkimOf(values: Variables): DkimKey | null {
  const { DKIM_PRIVATE_KEY: given, DKIM_SELECTOR: selector, DKIM_DOMAIN: domain } = values
  if (!given || !selector) return null
  const pem = given.includes('-----BEGIN') ? given.replaceAll('\\n', '\n') : Buffer.from(given, 'base64').toString()
  try {
    const publicKey = createPublicKey(pem).export({ type: 'spki', format: 'der' }).toString('base64')
    return { domain: domain ?? domainOf(values.MAIL_FROM), selector, publicKey }
  } catch {
    return null
  }
}

/** Checks the SPF, DKIM and DMARC records of the sender. */
export async function checkSenderRecords({ dns }: Pick<SetupSystem, 'dns'>, values: Variables): Promise<Finding[]> {
  const domain = domainOf(values.MAIL_FROM)
  const problems = await checkSender({ domain, dkim: dkimOf(values), resolveTxt: dns.resolveTxt })
  if (problems.length === 0) return [ok('Sender', `SPF, DKIM and DMARC of ${domain} are in place.`)]
  return problems.map(({ message }) => todo('Sender', `${message}.`))
}

/** The records to add, as lines of a zone. SPF depends on the mail provider. */
export function senderRecords(values: Variables): string[] {
  const domain = domainOf(values.MAIL_FROM)
  const dkim = dkimOf(values)
  return [
    `${domain}. TXT "v=spf1 a:${new URL(values.SMTP_URL ?? '').hostname} ~all" (or the one that your mail provider names)`,
    ...(dkim ? [`${dkim.selector}._domainkey.${dkim.domain}. TXT "v=DKIM1; k=rsa; p=${dkim.publicKey}"`] : []),
    `_dmarc.${domain}. TXT "v=DMARC1; p=none; rua=mailto:${values.ADMIN_EMAILS?.split(',')[0]}"`,
  ]
}

const domainOf = (address = ''): string => address.slice(address.lastIndexOf('@') + 1)
