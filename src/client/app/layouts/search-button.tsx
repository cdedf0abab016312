import { Search } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { IconButton } from '#client/ui/icon-button.tsx'

const loadDialog = () => import('#client/features/library/search/search-dialog.tsx')
const SearchDialog = lazy(loadDialog)

/** Opens the search: by click, with "/" outside of text fields, and with Ctrl+K or ⌘K. */
export function SearchButton() {
  const [isOpen, setIsOpen] = useState(false)
  /** Text typed since it was opened and before the dialog had loaded; null while it is closed. */
  const typedEarly = useRef<string | null>(null)
  const readTyped = useCallback(() => typedEarly.current ?? '', [])
  const open = () => {
    typedEarly.current ??= ''
    setIsOpen(true)
  }
  const close = () => {
    typedEarly.current = null
    setIsOpen(false)
  }

  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      const { key, metaKey, ctrlKey, altKey, target } = event
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return
      const isPlain = !metaKey && !ctrlKey && !altKey
      if (typedEarly.current !== null) {
        if (!isPlain || key.length !== 1) return
        typedEarly.current += key
      } else if (isPlain ? key === '/' && !isTextField(target) : key.toLowerCase() === 'k' && !altKey) {
        typedEarly.current = ''
        setIsOpen(true)
      } else return
      event.preventDefault()
    }
    window.addEventListener('keydown', handleKeyDown)
    return () => window.removeEventListener('keydown', handleKeyDown)
  }, [])

  return (
    <>
      <IconButton
        icon={Search}
        label="Search"
        aria-haspopup="dialog"
        aria-keyshortcuts="/ Control+K Meta+K"
        onPointerEnter={() => void loadDialog()}
        onFocus={() => void loadDialog()}
        onClick={open}
      />
      {isOpen && (
        <Suspense fallback={null}>
          <SearchDialog readTyped={readTyped} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
