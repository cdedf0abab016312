import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Plus, Trash2 } from 'lucide-react'
import { type ComponentProps, useId } from 'react'
import { sitePagesQuery } from '#client/features/publishing/site-pages/site-pages.api.ts'
import { SettingsEditor } from '#client/features/publishing/site-settings/settings-editor.tsx'
import { Button, IconButton } from '#client/ui/button.tsx'
import { OptionList } from '#client/ui/form.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { MoveButtons } from '#client/ui/move-buttons.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import type { SitePageSummary } from '#shared/contracts/publishing/site-pages.ts'
import { type LinkEntry, pageOfTarget, parseLinks, writeLinks } from '#shared/domain/site-links.ts'

const renderLinksField = (field: ComponentProps<typeof LinksField>) => <LinksField {...field} />

/** Tabs, header, footers and the names of buttons. */
export function Component() {
  return (
    <>
      <PageHeading title="Navigation" className="mb-8" />
      <SettingsEditor group="navigation" shown="" hasPreview={false} renderLinksField={renderLinksField} />
    </>
  )
}

type LinksFieldProps = {
  label: string
  hint: string
  error: string | undefined
  /** Built-in pages. */
  options: readonly { value: string; label: string }[]
  /** The text that `writeLinks` writes. */
  value: string
  onChange: (value: string) => void
}

/** A list of links with their names, in the order in which readers see them. */
function LinksField({ label, hint, error, options, value, onChange }: LinksFieldProps) {
  const id = useId()
  const { data: pages } = useQuery(sitePagesQuery)
  const links = parseLinks(value)
  const write = (changed: readonly LinkEntry[]) => onChange(writeLinks(changed))
  const change = (index: number, part: Partial<LinkEntry>) =>
    write(links.map((link, at) => (at === index ? { ...link, ...part } : link)))
  const move = (index: number, by: 1 | -1) => {
    const [link] = links.slice(index, index + 1)
    if (link) write(links.toSpliced(index, 1).toSpliced(index + by, 0, link))
  }
  const unused = options.find((option) => !links.some(({ target }) => target === option.value))
  return (
    <fieldset aria-describedby={`${id}-hint ${id}-error`} className="grid gap-3">
      <legend className="mb-1.5 text-sm font-semibold">{label}</legend>
      <p id={`${id}-hint`} className="text-sm text-muted">
        {hint}
      </p>
      {links.length === 0 && <p className="text-muted">No links.</p>}
      <ol className="divide-y divide-line border-y border-line empty:hidden">
        {links.map((link, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its position; the inputs in it are controlled
          <li key={index} className="py-3">
            <LinkRow
              name={`${label}, link ${index + 1}`}
              link={link}
              options={options}
              pages={pages}
              isFirst={index === 0}
              isLast={index === links.length - 1}
              onChange={(part) => change(index, part)}
              onMove={(by) => move(index, by)}
              onRemove={() => write(links.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ol>
      <p id={`${id}-error`} role="alert" className="text-sm font-medium text-danger empty:hidden">
        {error}
      </p>
      <Button
        variant="secondary"
        size="sm"
        className="justify-self-start"
        aria-label={`Add link: ${label}`}
        onClick={() => write([...links, { target: unused?.value ?? 'https://', label: unused?.label ?? 'Link' }])}
      >
        <Plus aria-hidden className="size-4" strokeWidth={1.75} />
        Add link
      </Button>
    </fieldset>
  )
}

type LinkRowProps = {
  name: string
  link: LinkEntry
  options: LinksFieldProps['options']
  /** Undefined until they have loaded. */
  pages: readonly SitePageSummary[] | undefined
  isFirst: boolean
  isLast: boolean
  onChange: (part: Partial<LinkEntry>) => void
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}

const otherAddress = 'other'

function LinkRow({ name, link, options, pages, isFirst, isLast, onChange, onMove, onRemove }: LinkRowProps) {
  const { target, label } = link
  const page = pageOfTarget(target)
  const isKnown = page !== null || options.some((option) => option.value === target)
  const note = page && pages ? noteOf(pages.find(({ id }) => id === page)) : null
  const noteId = useId()
  const handleTarget = (chosen: string) => {
    if (chosen === otherAddress) return onChange({ target: 'https://' })
    const suggested =
      options.find((option) => option.value === chosen)?.label ??
      pages?.find(({ id }) => `page:${id}` === chosen)?.title
    onChange({ target: chosen, label: suggested ?? label })
  }
  return (
    <div className="flex flex-wrap items-start gap-3">
      <select
        aria-label={`${name}: page`}
        aria-describedby={note ? noteId : undefined}
        value={isKnown ? target : otherAddress}
        onChange={(event) => handleTarget(event.target.value)}
        className={clsx(inputStyles, 'min-w-40 grow basis-52')}
      >
        <optgroup label="Built in">
          <OptionList of={options.map((option) => [option.value, option.label])} />
        </optgroup>
        <optgroup label="Your pages">
          {pages?.map(({ id, title }) => (
            <option key={id} value={`page:${id}`}>
              {title}
            </option>
          ))}
          {page && !pages?.some(({ id }) => id === page) && <option value={target}>{label}</option>}
        </optgroup>
        <option value={otherAddress}>Other address</option>
      </select>
      {!isKnown && (
        <input
          type="text"
          inputMode="url"
          aria-label={`${name}: address`}
          value={target}
          maxLength={500}
          spellCheck={false}
          autoCapitalize="none"
          // An address has no spaces, which separate it from the name.
          onChange={(event) => onChange({ target: event.target.value.replaceAll(/\s/g, '') || '/' })}
          className={clsx(inputStyles, 'min-w-40 grow basis-52')}
        />
      )}
      <input
        type="text"
        dir="auto"
        aria-label={`${name}: name`}
        value={label}
        maxLength={60}
        onChange={(event) => onChange({ label: event.target.value })}
        className={clsx(inputStyles, 'min-w-32 grow basis-40')}
      />
      <div className="flex">
        <MoveButtons
          label={(direction) => `Move ${direction}: ${name}`}
          isFirst={isFirst}
          isLast={isLast}
          onMove={onMove}
        />
        <IconButton icon={Trash2} label={`Remove: ${name}`} onClick={onRemove} />
      </div>
      {note && (
        <p id={noteId} className="basis-full text-sm font-medium text-danger">
          {note}
        </p>
      )}
    </div>
  )
}

/** Why readers don't see a link to the page. */
function noteOf(page: SitePageSummary | undefined): string | null {
  if (!page) return 'This page was deleted. Readers don’t see the link.'
  return page.isPublished ? null : 'This page is a draft. Readers see the link once it is published.'
}
