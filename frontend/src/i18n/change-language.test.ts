import { expect, it } from 'vitest'
import { changeLanguage, i18n } from './i18n'

it('uses the language that was chosen last, whichever texts arrive first', async () => {
  const english = changeLanguage('en')
  const german = changeLanguage('de')
  await Promise.all([english, german])
  expect(i18n.language).toBe('de')
  expect(localStorage.getItem('Language')).toBe('de')
  expect(document.documentElement.lang).toBe('de')
})

it('drops a language that a later choice has replaced', async () => {
  const read = i18n.reloadResources.bind(i18n)
  let arrive = () => {}
  const late = new Promise<void>((resolve) => {
    arrive = resolve
  })
  i18n.reloadResources = (async (...args: Parameters<typeof read>) => {
    i18n.reloadResources = read
    await late
    return read(...args)
  }) as typeof read
  const english = changeLanguage('en')
  await changeLanguage('de')
  arrive()
  await english
  expect(i18n.language).toBe('de')
  expect(localStorage.getItem('Language')).toBe('de')
})
