import { Plus, Trash2 } from 'lucide-react'
import { type EditorState, Plugin, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { focusField, selectLineEvent } from '#client/lib/focus-field.ts'
import { ownWords } from '#client/lib/publication.ts'
import { toast } from '#client/lib/toast.ts'
import { announce } from '#client/ui/announce.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/dialog.tsx'
import { MoveButtons } from '#client/ui/move-buttons.tsx'
import { type IssueSectionDraft, maxSections } from '#shared/contracts/publishing/documents.ts'
import { isUntitledText } from '#shared/domain/derive-issue.ts'
import { FormatEditor } from './rich-text/rich-editor.tsx'
import {
  addSection,
  changeSettings,
  moveSectionAt,
  removeSectionAt,
  selectInSection,
} from './rich-text/section-commands.ts'
import { sectionsFormat } from './rich-text/section-document.ts'
import { sectionsPlugin } from './rich-text/sections-plugin.ts'
import { SectionOptions } from './section-options.tsx'
import { editSource, lineOfSection, sourceOfSections } from './section-source.ts'
import { type EditorMode, WritingField } from './writing-field.tsx'

/** Calls with the elements for the settings of each heading, in the order of the text, whenever they change. */
const sectionPlaces = (onChange: (places: readonly HTMLElement[]) => void): Plugin =>
  new Plugin({
    view: (view) => {
      let places = placesOf(view)
      onChange(places)
      return {
        update: (_view, { doc }) => {
          if (view.state.doc === doc) return
          const next = placesOf(view)
          if (next.length === places.length && next.every((place, index) => place === places[index])) return
          places = next
          onChange(places)
        },
        destroy: () => onChange([]),
      }
    },
  })

const placesOf = ({ dom }: EditorView): HTMLElement[] => [
  ...dom.querySelectorAll<HTMLElement>(':scope > .section-heading > .section-settings'),
]

type DropTextProps = {
  sections: readonly IssueSectionDraft[]
  onChange: (sections: IssueSectionDraft[]) => void
}

/** All sections of a drop as one text, in which a heading of the second level begins a section. See decision 65. */
export function DropText({ sections, onChange }: DropTextProps) {
  const [mode, setMode] = useState<EditorMode>('text')
  const view = useRef<EditorView>(null)
  const [places, setPlaces] = useState<readonly HTMLElement[]>([])
  const [plugins] = useState(() => [sectionsPlugin(tellTooMany), sectionPlaces(setPlaces)])
  const [source, setSource] = useState(() => sourceOfSections(sections))
  // The source as it was typed, unless the sections were changed elsewhere.
  const shown = source.sections === sections ? source : sourceOfSections(sections)

  const handleSource = (text: string) => {
    const next = editSource(shown, text)
    setSource(next)
    onChange(next.sections)
  }
  const dispatch = (transactionOf: (state: EditorState) => Transaction | null) => {
    const transaction = view.current && transactionOf(view.current.state)
    if (transaction) view.current?.dispatch(transaction)
  }
  const move = (number: number, by: 1 | -1) => {
    dispatch((state) => moveSectionAt(state, number, by))
    announce('Section moved')
  }
  const remove = (number: number) => {
    dispatch((state) => removeSectionAt(state, number))
    announce('Section removed')
  }
  const go = (number: number, part: 'heading' | 'body', line: number | null) => {
    view.current?.focus()
    dispatch((state) => selectInSection(state, number, part, line))
  }
  const add = () => {
    view.current?.focus()
    if (view.current) addSection(view.current.state, view.current.dispatch)
  }

  const [first] = sections
  const hasText = first !== undefined && isUntitledText(first, 0) && places.length < sections.length
  const offset = hasText ? 1 : 0
  /** `number` counts the headings. In the text, changes go through the editor, so that undo knows them. */
  const change = (number: number | null, section: IssueSectionDraft) => {
    const { heading: _, body: __, ...settings } = section
    const index = number === null ? 0 : number + offset
    if (mode === 'source') onChange(sections.with(index, section))
    else dispatch((state) => changeSettings(state, number, settings))
  }
  const path = hasText || sections.length === 0 ? 'sections.0.body' : 'sections'
  const textSettings = hasText && (
    <div className="border-b border-line px-4">
      <SectionOptions section={first} path="sections.0" isText onChange={(section) => change(null, section)} />
    </div>
  )
  return (
    <div className="grid gap-4">
      <WritingField
        label="Text"
        path={path}
        rows={12}
        source={{ value: shown.text, onChange: handleSource }}
        mode={mode}
        onMode={setMode}
        top={textSettings}
      >
        {(shared) => (
          <FormatEditor
            {...shared}
            format={sectionsFormat}
            plugins={plugins}
            value={sections}
            onChange={(next) => onChange([...next])}
            onView={(next) => {
              view.current = next
            }}
          />
        )}
      </WritingField>
      {mode === 'text' ? (
        <>
          {places.map((place, number) => {
            const index = number + offset
            const section = sections[index]
            return (
              section &&
              createPortal(
                <HeadedSettings
                  section={section}
                  number={number}
                  path={`sections.${index}`}
                  isFirst={number === 0}
                  isLast={number === places.length - 1}
                  onChange={(next) => change(number, next)}
                  onGo={(part, line) => go(number, part, line)}
                  onMove={(by) => move(number, by)}
                  onRemove={() => remove(number)}
                />,
                place,
                section.id,
              )
            )
          })}
          <div>
            <Button variant="secondary" onClick={add}>
              <Plus aria-hidden className="size-4" strokeWidth={1.75} />
              Add section
            </Button>
          </div>
        </>
      ) : (
        <SourceSettings
          sections={sections}
          lineOf={(index, part) => lineOfSection(shown, index, part)}
          path={path}
          onChange={(index, section) => change(index - offset, section)}
        />
      )}
    </div>
  )
}

const tellTooMany = () =>
  toast.message(ownWords`A drop has up to ${maxSections} sections`, {
    id: 'too-many-sections',
    description: 'The other headings are smaller ones in the last section.',
  })

type SourceSettingsProps = {
  sections: readonly IssueSectionDraft[]
  path: string
  lineOf: (index: number, part: 'heading' | 'body') => number
  onChange: (index: number, section: IssueSectionDraft) => void
}

/** The settings of all sections as a list: the Markdown source has no place for them beside the headings. */
const SourceSettings = ({ sections, path, lineOf, onChange }: SourceSettingsProps) => (
  <ul className="grid gap-1">
    {sections.map(
      (section, index) =>
        !isUntitledText(section, index) && (
          <li key={section.id} className="border-t border-line pt-2">
            <p className="font-semibold [overflow-wrap:anywhere]">{section.heading || 'Untitled'}</p>
            <SectionSettings
              section={section}
              path={`sections.${index}`}
              onChange={(next) => onChange(index, next)}
              onGo={(part, line) => focusField(path, lineOf(index, part) + (line ?? 1) - 1)}
            />
          </li>
        ),
    )}
  </ul>
)

type SectionSettingsProps = {
  section: IssueSectionDraft
  path: string
  onChange: (section: IssueSectionDraft) => void
  /** Selects the heading, or a line of the text. */
  onGo: (part: 'heading' | 'body', line: number | null) => void
  children?: ReactNode
}

type HeadedSettingsProps = Omit<SectionSettingsProps, 'children'> &
  Omit<SectionButtonsProps, 'heading'> & { number: number }

/**
 * The settings of a section in the text. The form has editors of its own, so it is rendered again only for another
 * section: its handlers must depend on `number` alone.
 */
const HeadedSettings = memo(
  ({ section, path, onChange, onGo, number: _, ...buttons }: HeadedSettingsProps) => (
    <SectionSettings section={section} path={path} onChange={onChange} onGo={onGo}>
      <SectionButtons heading={section.heading} {...buttons} />
    </SectionSettings>
  ),
  (one, other) =>
    one.section === other.section &&
    one.path === other.path &&
    one.number === other.number &&
    one.isFirst === other.isFirst &&
    one.isLast === other.isLast,
)

/** The settings of a section beside its heading, and the places that problems of its heading and text link to. */
const SectionSettings = ({ section, path, onChange, onGo, children }: SectionSettingsProps) => (
  <div className="relative">
    <LinkTarget path={`${path}.heading`} onGo={() => onGo('heading', null)} />
    <LinkTarget path={`${path}.body`} onGo={(line) => onGo('body', line)} />
    <SectionOptions section={section} path={path} onChange={onChange} />
    {children && <div className="absolute top-0 right-0 flex">{children}</div>}
  </div>
)

/** Takes the focus that a problem's link gives it to where the text is. */
function LinkTarget({ path, onGo }: { path: string; onGo: (line: number | null) => void }) {
  const target = useRef<HTMLSpanElement>(null)
  const latest = useRef(onGo)
  useEffect(() => {
    latest.current = onGo
  })
  useEffect(() => {
    const element = target.current
    const go = (event: Event) => latest.current(event instanceof CustomEvent ? Number(event.detail) : null)
    element?.addEventListener('focus', go)
    element?.addEventListener(selectLineEvent, go)
    return () => {
      element?.removeEventListener('focus', go)
      element?.removeEventListener(selectLineEvent, go)
    }
  }, [])
  return <span ref={target} data-path={path} tabIndex={-1} />
}

type SectionButtonsProps = {
  heading: string
  isFirst: boolean
  isLast: boolean
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}

function SectionButtons({ heading, isFirst, isLast, onMove, onRemove }: SectionButtonsProps) {
  const [isRemoving, setIsRemoving] = useState(false)
  const name = heading.trim() || 'Untitled'
  return (
    <>
      <MoveButtons
        label={(direction) => `Move section ${direction}: ${name}`}
        isFirst={isFirst}
        isLast={isLast}
        onMove={onMove}
      />
      <IconButton icon={Trash2} label={`Remove section: ${name}`} onClick={() => setIsRemoving(true)} />
      {isRemoving && (
        <ConfirmDialog
          title="Remove this section?"
          action="Remove"
          onConfirm={onRemove}
          onClose={() => setIsRemoving(false)}
        >
          You can restore “{name}” with Undo, or from an earlier version.
        </ConfirmDialog>
      )}
    </>
  )
}
