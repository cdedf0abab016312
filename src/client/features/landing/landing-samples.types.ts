import type { Issue, IssueSection } from '#shared/contracts/issues.ts'
import type { Guide, Prompt, Tool } from '#shared/contracts/library.ts'

/** A piece of a guide's first page. */
export type ExcerptBlock = { kind: 'heading' | 'text' | 'point'; text: string }

/** All that a visitor may see of the paid content: one true sample per offering, chosen in content/samples.yaml. */
export type LandingSamples = {
  drop: Pick<Issue, 'title' | 'date' | 'tags' | 'preview'> & {
    sections: Omit<IssueSection, 'html' | 'goals' | 'franchiseTypes'>[]
    /** The first paragraph of the one section that may be read here. */
    opening: { heading: string; paragraph: string }
  }
  prompt: Pick<Prompt, 'title' | 'when' | 'body'> & { category: string; categoryCount: number }
  guide: Pick<Guide, 'type' | 'title' | 'format' | 'extent' | 'inside'> & { firstLines: ExcerptBlock[] }
  tool: Pick<Tool, 'name' | 'category' | 'rating' | 'verdict' | 'goodFor' | 'watchOut'>
}
