import { classifyBounce } from '#server/features/publishing/deliverability/classify-bounce.ts'
import { recordReports } from '#server/features/publishing/deliverability/record-reports.ts'
import type { DeliveryResult } from './delivery.ts'
import type { SendingDeps } from './sending-deps.ts'

/**
 * Suppresses addresses that the mail server rejected as nonexistent, like a hard bounce. Other permanent rejections, such
 * as for the content, say nothing about the address.
 */
export async function suppressInvalidAddresses(
  deps: Pick<SendingDeps, 'database' | 'clock' | 'logger'>,
  results: readonly DeliveryResult[],
): Promise<void> {
  const reports = results
    .filter(({ cause, response }) => cause === 'refused' && classifyBounce('', response ?? '') === 'hard_bounce')
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
