import { expect, it } from 'vitest'
import { draftAt, keepDraft } from './drafts'

it('stores neither files nor secrets', () => {
  const values = {
    name: 'SFTP',
    password: 'geheim',
    login: { user: 'nord', clientSecret: 'geheim' },
    image: { version: null, file: new File(['x'], 'x.png') },
    days: [{ id: 1 }, { id: null }],
  }
  keepDraft('/here', { version: 1, base: {}, values })
  expect(draftAt('/here')?.values).toEqual({ name: 'SFTP', days: [{ id: 1 }, { id: null }] })
  expect(sessionStorage.getItem('drafts')).not.toContain('geheim')
})
