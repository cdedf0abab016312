import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type SubmitEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Field, FormActions, OptionList } from '#client/ui/form.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { type ImageTitle, parseImageTitle, writeImageTitle } from '#shared/domain/image-titles.ts'
import { type MarkedKind, quotationLabels } from '#shared/domain/marked-quotations.ts'
import { blocksQuery } from './blocks-and-files.api.ts'
import { BookmarkDialog } from './bookmark-dialog.tsx'
import { FileDialog } from './file-dialog.tsx'
import { ImageDialog } from './image-dialog.tsx'
import { AltField, ImageTitleFields, maxAltLength, problemOfAlt } from './image-fields.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { linkMarkdown } from './markdown-commands.ts'
import { type MarkdownTool, MarkdownToolbar, markdownTools } from './markdown-toolbar.tsx'
import type { TableCommand } from './rich-text/commands.ts'
import type { RichEditorProps } from './rich-text/rich-editor.tsx'
import { SourceField } from './source-field.tsx'
import styles from './writing.css?inline'
import type { DialogKind, EditedImage, WritingHandle } from './writing-handle.ts'

type EditImageDialogProps = { image: EditedImage; onSave: (image: EditedImage) => void; onClose: () => void }

/** Changes the alt text, caption and size of an image that is in the text. The still of a video has alt text only. */
function EditImageDialog({ image, onSave, onClose }: EditImageDialogProps) {
  const [alt, setAlt] = useState(image.alt)
  const [title, setTitle] = useState<ImageTitle>(() => parseImageTitle(image.title))
  const [isChecked, setIsChecked] = useState(false)
  const problem = problemOfAlt(alt)
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsChecked(true)
    if (!problem) onSave({ ...image, alt: alt.replaceAll(/[[\]\r\n]/g, ' ').trim(), title: writeImageTitle(title) })
  }
  return (
    <Dialog title="Edit the image" onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5" noValidate>
        <AltField alt={alt} onChange={setAlt} error={(isChecked || alt.length > maxAltLength) && problem} />
        {!image.isVideo && <ImageTitleFields title={title} onChange={setTitle} />}
        <FormActions action="Save image" onCancel={onClose} />
      </form>
    </Dialog>
  )
}

const modes = { text: 'Text', source: 'Source' } as const
/** How a text is written: as readers see it, or as Markdown. */
export type EditorMode = keyof typeof modes

type ModeSwitchProps = { label: string; mode: EditorMode; onMode: (mode: EditorMode) => void }

const ModeSwitch = ({ label, mode, onMode }: ModeSwitchProps) => (
  <fieldset className="writing-switch" aria-label={`Show: ${label}`}>
    {(Object.keys(modes) as EditorMode[]).map((name) => (
      <button key={name} type="button" aria-pressed={mode === name} onClick={() => onMode(name)}>
        {modes[name]}
      </button>
    ))}
  </fieldset>
)

export type WritingFieldProps = {
  path: string
  label: string
  hint?: ReactNode
  rows?: number
  error?: string
  /** False inside blocks, which can't contain other blocks. */
  withBlocks?: boolean
  /** The Markdown that the source view shows. */
  source: { value: string; onChange: (value: string) => void }
  mode: EditorMode
  onMode: (mode: EditorMode) => void
  /** Shown between the toolbar and the text. */
  top?: ReactNode
  /** The text as readers see it. */
  children: (props: RichEditorProps) => ReactNode
}

type OpenDialog = { kind: DialogKind; files: readonly File[]; image?: EditedImage | null }

/**
 * A text that is stored as Markdown, written as readers see it or as its source, with a toolbar and images by paste and
 * drop. See decision 61.
 */
export function WritingField({
  path,
  label,
  hint,
  error,
  rows = 8,
  withBlocks = true,
  source,
  mode,
  onMode,
  top,
  children,
}: WritingFieldProps) {
  const writing = useRef<WritingHandle>(null)
  const pickerId = useId()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [active, setActive] = useState<readonly string[]>([])
  useLayoutEffect(adoptStyles, [])

  const open = (kind: DialogKind, files: readonly File[] = []) =>
    setDialog({ kind, files, image: kind === 'image' && files.length === 0 ? writing.current?.image() : null })
  /** Applies the change on the next frame, once the dialog has closed and released the focus. */
  const applyLater = (change: (handle: WritingHandle) => void) => {
    setDialog(null)
    requestAnimationFrame(() => writing.current && change(writing.current))
  }
  const handleTool = (tool: MarkdownTool | string) => {
    if (isDialog(tool)) open(tool)
    else writing.current?.run(tool)
  }
  const handleActive = (tools: readonly string[]) =>
    setActive((before) => (before.join() === tools.join() ? before : tools))
  const insertImage = (markdown: string) => {
    const [, ...files] = dialog?.files ?? []
    applyLater((handle) => handle.insertBlock(markdown))
    if (files.length > 0) setTimeout(() => open('image', files))
  }

  return (
    <div className="relative grid gap-2">
      <ModeSwitch label={label} mode={mode} onMode={onMode} />
      <Field label={label} hint={hint} error={error}>
        {(control) => {
          const shared = { ref: writing, control, label, path, rows, onOpen: open }
          return (
            <div className="writing">
              <div className="writing-bar">
                <MarkdownToolbar
                  label={label}
                  controls={control.id}
                  active={mode === 'text' ? active : []}
                  onTool={handleTool}
                />
                {mode === 'text' && active.includes('table') && <TableToolbar label={label} onTool={handleTool} />}
              </div>
              {top}
              {mode === 'text' ? (
                children({ ...shared, onActive: handleActive, onTool: handleTool })
              ) : (
                <SourceField {...shared} {...source} />
              )}
            </div>
          )
        }}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Picker
          id={pickerId}
          label="Insert prompt, callout or file"
          options={markedQuotations}
          onPick={(kind) =>
            isDialog(kind) ? open(kind) : applyLater((handle) => handle.insertQuotation(kind as MarkedKind))
          }
        />
        {withBlocks && <BlockPicker onPick={(id) => applyLater((handle) => handle.insertBlock(`{{block:${id}}}`))} />}
      </div>
      {(dialog?.kind === 'link' || dialog?.kind === 'button') && (
        <LinkDialog
          kind={dialog.kind}
          words={writing.current?.words() ?? ''}
          address={dialog.kind === 'link' ? writing.current?.linkAddress() : null}
          onClose={() => setDialog(null)}
          onRemove={() => applyLater((handle) => handle.removeLink())}
          onInsert={(words, address) =>
            applyLater((handle) =>
              dialog.kind === 'button'
                ? handle.insertBlock(linkMarkdown(words, address, 'button'))
                : handle.insertLink(words, address),
            )
          }
        />
      )}
      {(dialog?.kind === 'image' || dialog?.kind === 'video') && !dialog.image && (
        <ImageDialog
          key={dialog.files.length}
          kind={dialog.kind}
          file={dialog.files[0] ?? null}
          onClose={() => setDialog(null)}
          onInsert={insertImage}
        />
      )}
      {dialog?.image && (
        <EditImageDialog
          image={dialog.image}
          onClose={() => setDialog(null)}
          onSave={(image) => applyLater((handle) => handle.setImage(image))}
        />
      )}
      {dialog?.kind === 'bookmark' && (
        <BookmarkDialog
          onClose={() => setDialog(null)}
          onInsert={(markdown) => applyLater((handle) => handle.insertBlock(markdown))}
        />
      )}
      {(dialog?.kind === 'file' || dialog?.kind === 'audio') && (
        <FileDialog
          kind={dialog.kind}
          onClose={() => setDialog(null)}
          onInsert={(markdown) => applyLater((handle) => handle.insertBlock(markdown))}
        />
      )}
      {dialog?.kind === 'help' && <MarkdownHelp onClose={() => setDialog(null)} />}
    </div>
  )
}

const dialogs: readonly string[] = [
  'link',
  'button',
  'image',
  'video',
  'bookmark',
  'file',
  'audio',
  'help',
] satisfies DialogKind[]
const isDialog = (tool: string): tool is DialogKind => dialogs.includes(tool)

let adopted: CSSStyleSheet | null = null

/** The styles are added by script, so that pages of readers don't load them. */
function adoptStyles() {
  if (adopted) return
  adopted = new CSSStyleSheet()
  adopted.replaceSync(styles)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, adopted]
}

const markedQuotations = [
  ...Object.entries(quotationLabels).map(([id, title]) => ({ id, title: String(title) })),
  ...[
    { id: 'file', title: 'File' },
    { id: 'audio', title: 'Audio' },
  ],
]

function BlockPicker({ onPick }: { onPick: (id: string) => void }) {
  const { data: blocks = [] } = useQuery(blocksQuery)
  const id = useId()
  if (blocks.length === 0) return null
  return <Picker id={id} label="Insert block" options={blocks} onPick={onPick} />
}

type PickerProps = {
  id: string
  label: string
  options: readonly { id: string; title: string }[]
  onPick: (id: string) => void
}

const Picker = ({ id, label, options, onPick }: PickerProps) => (
  <>
    <label htmlFor={id} className="sr-only">
      {label}
    </label>
    <select
      id={id}
      value=""
      onChange={(event) => event.target.value && onPick(event.target.value)}
      className={`${inputStyles} w-auto! max-w-full pointer-fine:text-sm! font-semibold sm:min-h-9`}
    >
      <option value="">{label}…</option>
      <OptionList of={options.map((option) => [option.id, option.title])} />
    </select>
  </>
)

const tools: Record<TableCommand, string> = {
  'add-row': 'Add row',
  'add-column': 'Add column',
  'delete-row': 'Delete row',
  'delete-column': 'Delete column',
  'delete-table': 'Delete table',
}

/** Shown while the cursor is in a table. */
const TableToolbar = ({ label, onTool }: { label: string; onTool: (tool: TableCommand) => void }) => (
  <fieldset aria-label={`Table: ${label}`} className="writing-tools">
    {(Object.keys(tools) as TableCommand[]).map((tool) => (
      <Button
        key={tool}
        variant="quiet"
        size="sm"
        className="shrink-0"
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onTool(tool)}
      >
        {tools[tool]}
      </Button>
    ))}
  </fieldset>
)

const written = [
  ['Bold', '**words**'],
  ['Italic', '*words*'],
  ['Image', '![Alt text](/media/… "Caption {wide}")'],
  ['Button', '[Book a demo](https://example.com "button")'],
  ['Prompt', '> [!PROMPT]\n> Write to [customer_type].'],
  ['Text to copy', '> [!COPY]\n> Thank you for writing.'],
  ['Callout', '> [!TIP]\n> Text. Also NOTE and WARNING.'],
  ['Toggle', '> [!TOGGLE]\n> The line that opens it\n>\n> Text'],
  ['Gallery', '> [!GALLERY]\n> ![Alt text](/media/…)\n>\n> ![Alt text](/media/…)'],
  ['Bookmark', '> [!BOOKMARK]\n> ![Title](/media/…)\n>\n> [Title](https://example.com)\n>\n> One line'],
  ['Video', '[![Alt text](/media/…)](https://example.com "video")'],
  ['File', '[Checklist](/files/… "file, PDF, 482 kB")'],
  ['Audio', '[Interview](/files/… "audio, 3:05")'],
  ['First name', '{{first_name|there}}'],
] as const

/** "shift+8" as "Ctrl Shift 8", or "⌘ Shift 8" on a Mac. */
function shownKey(key: string): string {
  const command = /Mac|iP(?:hone|ad)/.test(navigator.userAgent) ? '⌘' : 'Ctrl'
  const keys = key.split('+').map((each) => each.charAt(0).toUpperCase() + each.slice(1))
  return [command, ...keys].join(' ')
}

function MarkdownHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Markdown help" onClose={onClose}>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 text-sm">
        {markdownTools.map(
          (tool) => 'key' in tool && <Row key={tool.id} name={tool.label} text={shownKey(tool.key)} />,
        )}
        <Row name="Insert something" text="/ in an empty paragraph" />
        <Row name="Indent in a list, next cell of a table" text="Tab" />
        <Row name="Leave a list or table" text="Escape, then Tab" />
        <Row name="Find and replace in the source" text={shownKey('f')} />
      </dl>
      <h3 className="mt-6 font-semibold">Written in the source as</h3>
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 text-sm">
        {written.map(([name, text]) => (
          <Row key={name} name={name} text={text} isCode />
        ))}
      </dl>
      <p className="mt-4 text-sm text-muted">
        Paste or drop an image to upload it where the cursor is. Text pasted from Word, Google Docs or a web page keeps
        its headings, lists, links and tables.
      </p>
    </Dialog>
  )
}

const Row = ({ name, text, isCode = false }: { name: string; text: string; isCode?: boolean }) => (
  <>
    <dt>{name}</dt>
    <dd
      className={`min-w-0 [overflow-wrap:anywhere] whitespace-pre-wrap text-muted ${isCode ? 'font-mono text-xs' : ''}`}
    >
      {text}
    </dd>
  </>
)
