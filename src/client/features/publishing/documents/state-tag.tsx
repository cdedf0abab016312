import { Tag } from '#client/ui/tag.tsx'
import type { DocumentState } from '#shared/contracts/publishing/publishing.ts'

const looks = {
  draft: { tone: 'plain', text: 'Draft' },
  published: { tone: 'primary', text: 'Published' },
  changed: { tone: 'accent', text: 'Changed since publishing' },
  scheduled: { tone: 'accent', text: 'Scheduled' },
} as const

export function StateTag({ state, isScheduled }: { state: DocumentState; isScheduled: boolean }) {
  const { tone, text } = looks[isScheduled ? 'scheduled' : state]
  return <Tag tone={tone}>{text}</Tag>
}

export const stateOf = (stored: { version: number; publishedVersion: number | null }): DocumentState =>
  stored.publishedVersion === null ? 'draft' : stored.publishedVersion === stored.version ? 'published' : 'changed'
