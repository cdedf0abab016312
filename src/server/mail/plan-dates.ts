import { formatDay } from '#shared/domain/format.ts'

/** How a plan goes on: it renews on one day, or ends on one. */
export type PlanDates = { renewsAt: Date | null; endsAt: Date | null; isTrial: boolean }

/** One sentence about the next date; empty when there is none. */
export function nextDate({ renewsAt, endsAt, isTrial }: PlanDates): string {
  if (endsAt) return `It ends on ${formatDay(endsAt)}, and you won't be charged again.`
  if (!renewsAt) return ''
  return isTrial
    ? `Your free trial runs until ${formatDay(renewsAt)}. After that, your card is charged unless you cancel.`
    : `It renews on ${formatDay(renewsAt)}.`
}
