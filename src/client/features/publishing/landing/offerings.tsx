import type { ReactNode } from 'react'
import { ownWords } from '#client/lib/own-words.ts'
import { publication } from '#client/lib/publication.ts'
import { CopyButton } from '#client/ui/copy-button.tsx'
import type { LandingContent, LandingSamples } from '#shared/contracts/library/landing-samples.ts'
import { hasTab } from '#shared/domain/tabs.ts'
import { GuideSample } from './guide-sample.tsx'
import { OpenDrop } from './open-drop.tsx'

function ToolSample({ tool }: { tool: NonNullable<LandingSamples['tool']> }) {
  return (
    <div>
      <p className="display max-w-[34ch] text-2xl">{tool.verdict}</p>
      <p className="mt-3 text-sm text-muted">
        <span className="font-semibold text-ink">{tool.name}</span>, {tool.category.toLowerCase()}
        {tool.rating !== null && <span className="tabular-nums">, {tool.rating.toFixed(1)} / 5.0</span>}
      </p>
      <div className="mt-6 grid gap-x-8 gap-y-5 text-sm sm:grid-cols-2">
        <Points title="Good for" points={tool.goodFor} />
        <Points title="Watch out" points={tool.watchOut} />
      </div>
    </div>
  )
}

function Points({ title, points }: { title: string; points: readonly string[] }) {
  return (
    <div>
      <h4 className="font-semibold">{title}</h4>
      <ul className="mt-2">
        {points.map((point) => (
          <li key={point} className="border-t border-line py-2">
            {point}
          </li>
        ))}
      </ul>
    </div>
  )
}

function PromptSample({ prompt }: { prompt: NonNullable<LandingSamples['prompt']> }) {
  return (
    <div className="rounded-lg border border-line bg-surface">
      <div className="flex items-start justify-between gap-x-6 gap-y-3 border-b max-sm:flex-col border-line px-5 py-4 sm:px-7">
        <div className="max-w-[52ch]">
          <h4 className="font-semibold">{prompt.title}</h4>
          <p className="mt-0.5 text-sm text-muted">{prompt.when}</p>
        </div>
        <CopyButton text={prompt.body} what={prompt.title} variant="primary" />
      </div>
      <p className="max-w-[72ch] px-5 py-5 text-sm whitespace-pre-line sm:px-7">
        <MarkedPlaceholders body={prompt.body} />
      </p>
    </div>
  )
}

/** Doesn't use `domain/placeholders.ts`, whose list of variables would be a part of this page's script. */
function MarkedPlaceholders({ body }: { body: string }) {
  return body.split(/(\[[^[\]]+\])/).map((text, index) =>
    index % 2 === 0 ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts are never reordered
      <mark key={index} className="rounded-sm bg-accent-soft px-1 font-medium text-accent-ink">
        {text}
      </mark>
    ),
  )
}

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
        <OpenDrop
          slug={slug}
          title={title}
          label={isWhole ? ownWords`Read the whole drop` : 'Read what is open of it'}
        />
      </figcaption>
    </figure>
  )
}
