import { createPublicKey } from 'node:crypto'
import { resolveTxt } from 'node:dns/promises'
import type { Deps } from '#server/deps.ts'
import { createTestLinks } from '#server/features/publishing/email-preferences/email-links.ts'
import { readListSender } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { readCustomFields } from '#server/features/reader/custom-fields/read-custom-fields.ts'
import { createPageLookup } from './check-links.ts'
import type { CheckDeps } from './check-mailing.ts'
import type { SenderDomain } from './check-sender.ts'
import { createFetchLink } from './fetch-link.ts'

/** Dependencies of the checks in a running server. */
export const checkDepsOf = async ({
  config,
  database,
  newsletterMailer,
}: Pick<Deps, 'config' | 'database' | 'newsletterMailer'>): Promise<CheckDeps> => ({
  config,
  from: await readListSender({ config, database, newsletterMailer }),
  links: createTestLinks({ config }),
  fetchLink: createFetchLink(),
  pageExists: createPageLookup(database.db),
  fieldKeys: (await readCustomFields(database.db)).map(({ key }) => key),
  sender: config.mail.kind === 'smtp' ? senderDomain(newsletterMailer.from.address, config.mail.dkim) : null,
})

function senderDomain(
  address: string,
  dkim: { domain: string; selector: string; privateKey: string } | null,
): SenderDomain {
  return {
    domain: address.slice(address.lastIndexOf('@') + 1),
    dkim: dkim && { domain: dkim.domain, selector: dkim.selector, publicKey: publicKeyOf(dkim.privateKey) },
    resolveTxt,
  }
}

/** The key as published in the `p=` tag. */
const publicKeyOf = (privateKey: string) =>
  createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
