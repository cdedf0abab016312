import { Tag } from '#client/ui/tag.tsx'
import type { DocumentState } from '#shared/contracts/publishing/publishing.ts'

const looks = {
  draft: { tone: 'plain', text: 'Draft' },
  published: { tone: 'primary', text: 'Published' },
  changed: { tone: 'accent', text: 'Changed since publishing' },
} as const

export const StateTag = ({ state }: { state: DocumentState }) => <Tag tone={looks[state].tone}>{looks[state].text}</Tag>

export const stateOf = (stored: { version: number; publishedVersion: number | null }): DocumentState =>
  stored.publishedVersion === null ? 'draft' : stored.publishedVersion === stored.version ? 'published' : 'changed'
