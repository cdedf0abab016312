import { recordReports } from '#server/features/publishing/deliverability/record-reports.ts'
import type { DeliveryResult } from './delivery.ts'
import type { SendingDeps } from './sending-deps.ts'

/** RFC 3463: bad mailbox, bad system, bad syntax, moved, or null MX. */
const noSuchAddress = /\b5\.1\.(?:1|2|3|6|10)\b/

/**
 * Suppresses addresses that the mail server rejected as nonexistent, like a hard bounce. Other permanent rejections, such
 * as for the content, say nothing about the address.
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
  // The delivery is already marked as failed, and the next mailing would detect the address again.
  await recordReports(deps, reports).catch((error: unknown) =>
    deps.logger.warn({ err: error }, 'invalid addresses were not recorded'),
  )
}
