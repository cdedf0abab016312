import { Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { IconButton } from '#client/ui/icon-button.tsx'

const loadDialog = () => import('#client/features/search/search-dialog.tsx')
const SearchDialog = lazy(loadDialog)

/** Opens the search: by click, with "/" outside of text fields, and with Ctrl+K or ⌘K. */
export function SearchButton() {
  const [isOpen, setIsOpen] = useState(false)

  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      const isShortcut = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey
      const isSlash =
        event.key === '/' && !event.metaKey && !event.ctrlKey && !event.altKey && !isTextField(event.target)
      if (event.defaultPrevented || (!isShortcut && !isSlash) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      setIsOpen(true)
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
        onClick={() => setIsOpen(true)}
      />
      {isOpen && (
        <Suspense fallback={null}>
          <SearchDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
