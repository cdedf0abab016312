import { clsx } from 'clsx'
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ownWords, publication } from '#client/lib/publication.ts'
import { CopyButton } from '#client/ui/copy-button.tsx'
import { TrustedHtml } from '#client/ui/trusted-html.tsx'
import type { LandingContent, LandingSamples } from '#shared/contracts/library/landing-samples.ts'
import { hasTab } from '#shared/domain/tabs.ts'

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
    <section aria-labelledby="offerings-title" className="offerings bg-sunken">
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
    <article className="offering grid gap-x-12 gap-y-6 border-t border-line-strong py-8 lg:grid-cols-[minmax(0,4fr)_minmax(0,8fr)] lg:py-12">
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

type GuideSampleProps = { guide: NonNullable<LandingSamples['guide']> }

/** The first lines of a guide, fading out, and its table of contents. */
function GuideSample({ guide }: GuideSampleProps) {
  if (guide.firstLines.length === 0) {
    return (
      <div>
        <p className="text-sm text-muted">{guide.type}</p>
        <h4 className="display mt-1 mb-4 text-xl">{guide.title}</h4>
        <Inside guide={guide} />
      </div>
    )
  }
  return (
    <div className="grid gap-x-8 gap-y-6 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div
        data-excerpt=""
        className="relative max-h-112 overflow-hidden border border-b-0 border-line bg-surface px-6 pt-7 pb-10 sm:px-8"
      >
        <p className="text-sm text-muted">{guide.type}</p>
        <h4 className="display mt-1 mb-4 text-xl">{guide.title}</h4>
        {guide.firstLines.map(({ kind, text }) => (
          <p
            key={text}
            className={clsx(
              'mt-2 text-sm leading-6',
              kind === 'heading' && 'mt-5 font-semibold',
              kind === 'point' && 'border-l border-line pl-3',
            )}
          >
            {text}
          </p>
        ))}
        <div aria-hidden className="absolute inset-x-0 bottom-0 h-20 bg-linear-to-t from-sunken" />
      </div>
      <Inside guide={guide} />
    </div>
  )
}

function Inside({ guide }: GuideSampleProps) {
  return (
    <div className="text-sm">
      <h5 className="font-semibold">Inside</h5>
      <ul className="mt-2">
        {guide.inside.map((line) => (
          <li key={line} className="border-t border-line py-2">
            {line}
          </li>
        ))}
      </ul>
      <p className="border-t border-line pt-2 text-muted">
        {guide.format}, {guide.extent}
      </p>
    </div>
  )
}

type OpenDropProps = { slug: string; title: string; label: string }

/** A link to a drop's own page. A plain click reads the drop's open text here instead. */
function OpenDrop({ slug, title, label }: OpenDropProps) {
  const [text, setText] = useState<'closed' | 'loading' | { html: string }>('closed')
  const opened = useRef<HTMLDivElement>(null)
  const path = `/drops/${slug}`
  const isOpen = typeof text === 'object'
  useEffect(() => {
    if (isOpen) opened.current?.focus()
  }, [isOpen])

  const handleClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (text === 'loading') return
    setText('loading')
    readOpenText(path).then(
      (html) => setText({ html }),
      () => window.location.assign(path),
    )
  }

  if (!isOpen) {
    return (
      <a href={path} onClick={handleClick} aria-busy={text === 'loading' || undefined} className={linkStyles}>
        {label}
      </a>
    )
  }
  return (
    <section ref={opened} tabIndex={-1} aria-label={title} className="mt-2 border-t border-line pt-2 text-ink">
      <TrustedHtml html={text.html} />
      <a href={path} className={`mt-4 ${linkStyles}`}>
        Open it on its own page
      </a>
    </section>
  )
}

const linkStyles = 'text-link inline-flex min-h-11 items-center text-sm'

/** The running text of a public drop page, without its header and its offers. */
async function readOpenText(path: string): Promise<string> {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path} returned status ${response.status}`)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const parts = page.querySelectorAll('article.drop .section-heading, article.drop .prose')
  if (parts.length === 0) throw new Error(`${path} has no text`)
  return Array.from(parts, ({ tagName, innerHTML, textContent }) =>
    tagName === 'H2' ? headingOf(textContent) : innerHTML.replaceAll(/<(\/?)h[3-6]\b/g, '<$1h6'),
  ).join('')
}

/** A level below the sample's own heading, and a level above those of its text. */
function headingOf(text: string): string {
  const heading = document.createElement('h5')
  heading.textContent = text
  return heading.outerHTML
}
