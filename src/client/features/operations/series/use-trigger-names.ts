import { useQuery } from '@tanstack/react-query'
import { segmentsQuery } from '#client/features/publishing/mailings/segments.api.ts'
import { storedFieldsQuery } from '#client/features/reader/custom-fields/admin-fields.api.ts'
import { memberViewsQuery } from '#client/lib/member-views-query.ts'
import type { TriggerNames } from '#shared/domain/describe-series.ts'
import type { SeriesStep, SeriesTrigger } from '#shared/domain/series.ts'

/** Names of the fields, views and segments in triggers; loads only what they name. */
export function useTriggerNames(triggers: readonly SeriesTrigger[]): TriggerNames {
  const has = (kind: SeriesTrigger['kind']) => triggers.some((trigger) => trigger.kind === kind)
  const fields = useQuery({ ...storedFieldsQuery, enabled: has('field_set') }).data?.items
  const views = useQuery({ ...memberViewsQuery, enabled: has('joined_segment') }).data?.items
  const segments = useQuery({ ...segmentsQuery, enabled: has('joined_segment') }).data?.items
  return { fields, segments: [...(views ?? []), ...(segments ?? [])] }
}

/** Names of the fields that steps set; loads them only if a step sets one. */
export function useStepNames(steps: readonly SeriesStep[]): Pick<TriggerNames, 'fields'> {
  const enabled = steps.some(({ kind }) => kind === 'field')
  return { fields: useQuery({ ...storedFieldsQuery, enabled }).data?.items }
}
