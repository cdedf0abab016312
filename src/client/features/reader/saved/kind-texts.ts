import { BookOpen, type LucideIcon, Newspaper, Text, TextQuote, Wrench } from 'lucide-react'
import { ownWords } from '#client/lib/publication.ts'
import type { ContentKind } from '#shared/domain/content-items.ts'

/** Names and icons; those of the portal's tabs where there is one. */
export const kindTexts: Record<ContentKind, { name: string; plural: string; icon: LucideIcon }> = {
  issue: { name: ownWords`Drop`, plural: ownWords`Drops`, icon: Newspaper },
  section: { name: 'Section', plural: 'Sections', icon: Text },
  prompt: { name: 'Prompt', plural: 'Prompts', icon: TextQuote },
  guide: { name: 'Guide', plural: 'Guides', icon: BookOpen },
  tool: { name: 'Tool', plural: 'Tools', icon: Wrench },
}
