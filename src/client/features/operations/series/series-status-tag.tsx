import { Tag } from '#client/ui/tag.tsx'
import type { SeriesStatus } from '#shared/domain/series.ts'

const labels = { off: 'Off', on: 'On', paused: 'Paused' } as const
const tones = { off: 'plain', on: 'primary', paused: 'accent' } as const

export const SeriesStatusTag = ({ status }: { status: SeriesStatus }) => (
  <Tag tone={tones[status]}>{labels[status]}</Tag>
)
