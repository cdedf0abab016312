import { useNavigate } from 'react-router'
import { DeleteAccountSection } from '#client/features/identity/account/delete-account-section.tsx'
import { ExportSection } from '#client/features/identity/account/export-section.tsx'
import { signOut } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'

export function Component() {
  const navigate = useNavigate()

  /** Navigates home before signing out, because the guard would redirect to the sign-in page. */
  const handleDeleted = async () => {
    await navigate('/', { replace: true, flushSync: true })
    await signOut()
    toast.success('Your account was deleted', {
      id: 'farewell',
      description: 'Thanks for reading. You’re welcome back anytime.',
    })
  }

  return (
    <div>
      <ExportSection />
      <DeleteAccountSection onDeleted={() => void handleDeleted()} />
    </div>
  )
}
