import type { contentItems } from '#server/db/schema/index.ts'
import type { SearchTexts } from './search-texts.ts'

type Row = typeof contentItems.$inferInsert
type Facts = Required<Pick<Row, 'kind' | 'id' | 'path' | 'parentId' | 'publishedAt' | 'textHash' | 'checkedOn'>>
type Facets = Pick<Row, 'day' | 'parentTitle' | 'focusAreas' | 'level' | 'verticals'>
/** What an item is found by and shown with. */
export type PublishedItem = Facts & Facets & { texts: SearchTexts; validUntil: string | null; changeNote: string }
