import { useTranslation } from 'react-i18next'
import { isApiError } from '~/api/errors'
import { useFormat } from '~/i18n/use-format'
import { useConfirm } from '~/kit/ui/confirm'

/** Flag that a save sends after the user has checked the prices. */
interface ReleaseFlag {
  release?: true
}

/**
 * Saves prices. If the server finds some of them implausible, the user is shown its reasons and can release
 * them; `place` gives the name of the price at a path. Without a release the error is thrown.
 */
export function useRelease(): <A>(save: (flag: ReleaseFlag) => Promise<A>, place?: (path: string) => string) => Promise<A> {
  const { t } = useTranslation()
  const { decimal } = useFormat()
  const confirm = useConfirm()
  return async (save, place) => {
    try {
      return await save({})
    } catch (error) {
      if (!isApiError(error, 'release_needed')) throw error
      const reasons = Object.entries(error.fields).map(([path, texts]) => ({
        path,
        text: [place?.(path), texts.join(' ')].filter(Boolean).join(': '),
      }))
      let answer: Awaited<ReturnType<typeof save>> | undefined
      const released = await confirm({
        title: t('release.title', { count: reasons.length, number: decimal(reasons.length) }),
        body: t('release.body'),
        detail: (
          <ul style={{ margin: 0, paddingInlineStart: 20, overflowWrap: 'anywhere' }}>
            {reasons.map(({ path, text }) => (
              <li key={path}>{text}</li>
            ))}
          </ul>
        ),
        action: t('release.action'),
        cancel: t('release.back'),
        run: async () => {
          answer = await save({ release: true })
        },
      })
      if (!released || answer === undefined) throw error
      return answer
    }
  }
}
