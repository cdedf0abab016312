import { FolderPlus, type LucideIcon, Printer, QrCode, Share2, UserRoundPlus } from 'lucide-react'
import { lazy, type MouseEvent, type ReactNode, Suspense, useState } from 'react'
import { QuietAction } from '#client/ui/button.tsx'
import { printElement } from '#client/ui/print-element.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'

const ShareDialog = lazy(() => import('#client/features/reader/sharing/share-dialog.tsx'))
const AssignDialog = lazy(() => import('#client/features/reader/assignments/assign-dialog.tsx'))
const TaskLinkDialog = lazy(() => import('#client/features/reader/task-links/task-link-dialog.tsx'))
const CollectDialog = lazy(() => import('#client/features/reader/saved/collect-dialog.tsx'))

type ItemMenuProps = {
  item: ItemRef & { title: string }
  /** True for people on a team. */
  canAssign: boolean
}

/** The actions behind "More". Loads on the first tap. */
export default function ItemMenu({ item, canAssign }: ItemMenuProps) {
  const { kind, id, title } = item
  // Sections and prompts are something to do; an issue, a guide or a tool is too large for one task.
  const task = kind === 'section' || kind === 'prompt' ? { kind, id, title } : null
  return (
    <>
      <DialogAction
        icon={FolderPlus}
        word="Add to collection"
        title={title}
        renderDialog={(onClose) => <CollectDialog item={item} onClose={onClose} />}
      />
      {task && canAssign && (
        <DialogAction
          icon={UserRoundPlus}
          word="Assign"
          title={title}
          renderDialog={(onClose) => <AssignDialog item={task} onClose={onClose} />}
        />
      )}
      {(task || kind === 'guide') && canAssign && (
        <DialogAction
          icon={QrCode}
          word="Task link"
          title={title}
          renderDialog={(onClose) => <TaskLinkDialog item={{ kind, id, title }} onClose={onClose} />}
        />
      )}
      {task && (
        <DialogAction
          icon={Share2}
          word="Share"
          title={title}
          renderDialog={(onClose) => <ShareDialog item={task} onClose={onClose} />}
        />
      )}
      {(task || kind === 'issue') && (
        // A drop prints as a page, anything else alone.
        <MenuButton
          icon={Printer}
          word="Print"
          title={title}
          onClick={({ currentTarget }) => printElement(task && currentTarget.closest('section, li'))}
        />
      )}
    </>
  )
}

type MenuButtonProps = {
  icon: LucideIcon
  word: string
  title: string
  onClick: (event: MouseEvent<HTMLButtonElement>) => void
}

const MenuButton = ({ icon, word, title, onClick }: MenuButtonProps) => (
  <QuietAction icon={icon} aria-label={`${word}: ${title}`} onClick={onClick}>
    {word}
  </QuietAction>
)

type DialogActionProps = Omit<MenuButtonProps, 'onClick'> & { renderDialog: (onClose: () => void) => ReactNode }

function DialogAction({ renderDialog, ...button }: DialogActionProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <MenuButton {...button} onClick={() => setIsOpen(true)} />
      {isOpen && <Suspense fallback={null}>{renderDialog(() => setIsOpen(false))}</Suspense>}
    </>
  )
}
