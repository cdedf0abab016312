import { Trash2 } from 'lucide-react'
import { memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { selectLineEvent } from '#client/lib/focus-field.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import { MoveButtons } from '#client/ui/move-buttons.tsx'
import type { IssueSectionDraft } from '#shared/contracts/publishing/documents.ts'
import { SectionOptions } from './section-options.tsx'

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
export const HeadedSettings = memo(
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
export const SectionSettings = ({ section, path, onChange, onGo, children }: SectionSettingsProps) => (
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
