import type { ReactNode } from 'react'
import { publication } from '#client/lib/publication.ts'
import type { LandingContent, LandingSamples } from '#shared/contracts/library/landing-samples.ts'
import { hasTab } from '#shared/domain/tabs.ts'
import { GuideSample } from './guide-sample.tsx'
import { OpenDrop } from './open-drop.tsx'
import { PromptSample } from './prompt-sample.tsx'
import { ToolSample } from './tool-sample.tsx'

/** What the portal has a tab for, each with a real sample. */
export function Offerings({ content: { drop, prompt, guide, tool, texts } }: { content: LandingContent }) {
  const { drops, prompts, guides, tools } = texts.samples
  return (
    <section aria-labelledby="offerings-title" className="bg-sunken">
      <div className="page py-16 lg:py-24">
        <h2 id="offerings-title" className="display max-w-[24ch] text-3xl sm:text-4xl">
          {texts.samples.title}
        </h2>
        <div className="mt-10 lg:mt-14">
          {hasTab(publication, 'weekly-drops') && <Offering {...drops}>{drop && <IssueSample drop={drop} />}</Offering>}
          {hasTab(publication, 'prompt-packs') && (
            <Offering title={prompts.title} text={`${prompts.text}${prompt ? ` ${aboutPrompt(prompt)}` : ''}`}>
              {prompt && <PromptSample prompt={prompt} />}
            </Offering>
          )}
          {hasTab(publication, 'guides') && <Offering {...guides}>{guide && <GuideSample guide={guide} />}</Offering>}
          {hasTab(publication, 'tools') && <Offering {...tools}>{tool && <ToolSample tool={tool} />}</Offering>}
        </div>
      </div>
    </section>
  )
}

const aboutPrompt = ({ category, categoryCount: count }: NonNullable<LandingSamples['prompt']>) =>
  `This is ${count === 1 ? 'the one' : `one of ${count}`} under ${category}; fill in the highlighted blanks.`

function Offering({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <article className="grid gap-x-12 gap-y-6 border-t border-line-strong py-8 lg:grid-cols-[minmax(0,4fr)_minmax(0,8fr)] lg:py-12">
      <div>
        <h3 className="display text-2xl">{title}</h3>
        <p className="mt-2 max-w-[40ch] text-muted">{text}</p>
      </div>
      {children}
    </article>
  )
}

/** The first paragraph of the section that visitors may read; without one, what the drop is about. */
function IssueSample({
  drop: { slug, title, preview, opening, sections, isWhole },
}: {
  drop: NonNullable<LandingSamples['drop']>
}) {
  return (
    <figure className="border-l-3 border-accent pl-5 sm:pl-7">
      <h4 className="display text-xl">{title}</h4>
      {opening && opening.heading !== title && <p className="mt-4 font-semibold">{opening.heading}</p>}
      <blockquote className="mt-1 max-w-[62ch] text-lg leading-8">
        <p>{opening?.paragraph ?? preview}</p>
      </blockquote>
      <figcaption className="mt-3 text-sm text-muted">
        {opening && `The first paragraph${sections.length > 1 ? ` of one of its ${sections.length} sections` : ''}. `}
        <OpenDrop slug={slug} title={title} label={isWhole ? 'Read the whole drop' : 'Read what is open of it'} />
      </figcaption>
    </figure>
  )
}
