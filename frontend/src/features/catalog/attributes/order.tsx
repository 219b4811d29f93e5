import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { DrawerForm, DrawerFrame, FormSkeleton } from '~/kit/form/form-drawer'
import { ReorderForm } from '~/kit/form/reorder-form'
import { FormErrors } from '~/kit/ui/form-errors'
import { useAccess } from '~/session/access'
import { attributes } from './api'

export default function AttributeOrder() {
  const { t } = useTranslation(['attributes', 'common'])
  const navigate = useNavigate()
  const { search } = useLocation()
  const { update: mayUpdate } = useAccess('attribute', { platform: true })
  const query = useQuery({ ...attributes.all(), refetchOnMount: 'always', refetchOnWindowFocus: false, enabled: mayUpdate })
  const close = () => void navigate({ pathname: '..', search }, { relative: 'path' })
  return (
    <DrawerFrame onClose={close}>
      {query.data && query.isFetchedAfterMount ? (
        <ReorderForm
          title={t('title.order')}
          items={query.data}
          id={(row) => row.id}
          name={(row) => row.name}
          detail={(row) => t(`enums.type.${row.type}`)}
          save={attributes.order}
          onClose={close}
        />
      ) : (
        <DrawerForm title={t('title.order')} onClose={close} note={mayUpdate ? null : t('common:errors.forbidden')}>
          {query.error ? <FormErrors error={query.error} /> : mayUpdate ? <FormSkeleton /> : null}
        </DrawerForm>
      )}
    </DrawerFrame>
  )
}
