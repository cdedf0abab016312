import { useQuery } from '@tanstack/react-query'
import { segmentsQuery } from '#client/features/publishing/newsletter/segments.api.ts'
import { storedFieldsQuery } from '#client/features/reader/custom-fields/admin-fields.api.ts'
import { memberViewsQuery } from '#client/lib/member-views-query.ts'
import type { TriggerNames } from '#shared/domain/describe-series.ts'
import type { SeriesTrigger } from '#shared/domain/series.ts'

/** Names of the fields, views and segments in triggers; loads only what they name. */
export function useTriggerNames(triggers: readonly SeriesTrigger[]): TriggerNames {
  const has = (kind: SeriesTrigger['kind']) => triggers.some((trigger) => trigger.kind === kind)
  const fields = useQuery({ ...storedFieldsQuery, enabled: has('field_set') }).data?.items
  const views = useQuery({ ...memberViewsQuery, enabled: has('joined_segment') }).data?.items
  const segments = useQuery({ ...segmentsQuery, enabled: has('joined_segment') }).data?.items
  return { fields, segments: [...(views ?? []), ...(segments ?? [])] }
}
