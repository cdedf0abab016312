import { takeReports } from '#server/features/deliverability/take-reports.ts'
import type { DeliveryResult } from './delivery.ts'
import type { SendingDeps } from './sending-deps.ts'

/** RFC 3463: no such mailbox, no such domain, no address at all, moved away, a domain that takes no mail. */
const noSuchAddress = /\b5\.1\.(?:1|2|3|6|10)\b/

/**
 * An address that the mail server knows not to exist is written to no more, as if the mail had come back. Other
 * refusals for good, such as one for what the letter says, tell nothing about the address.
 */
export async function suppressInvalidAddresses(
  deps: Pick<SendingDeps, 'database' | 'clock' | 'logger'>,
  results: readonly DeliveryResult[],
): Promise<void> {
  const reports = results
    .filter(({ cause, response }) => cause === 'refused' && noSuchAddress.test(response ?? ''))
    .map(({ id, response }) => ({
      source: 'self' as const,
      externalId: `refused ${id}`,
      type: 'hard_bounce' as const,
      deliveryId: id,
      email: null,
      subject: null,
      detail: response,
      occurredAt: null,
    }))
  // The delivery itself says that it failed; the next mailing would find out about the address again.
  await takeReports(deps, reports).catch((error: unknown) =>
    deps.logger.warn({ err: error }, 'invalid addresses were not recorded'),
  )
}
