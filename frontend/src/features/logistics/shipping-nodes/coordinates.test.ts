import { expect, it } from 'vitest'
import { parseCoordinates } from './coordinates'

const DUISBURG = { latitude: '51.4344', longitude: '6.7623' }

it.each([
  '51.4344, 6.7623',
  '51.4344,6.7623',
  ' 51.4344 6.7623 ',
  '51.4344\t6.7623',
  '51,4344; 6,7623',
  '51,4344, 6,7623',
  '51,4344 6,7623',
  '51.4344° N, 6.7623° E',
  '51.4344N 6.7623E',
  'N 51.4344, E 6.7623',
  '51.43440000001, 6.76230000001',
])('%s is read as both', (text) => expect(parseCoordinates(text)).toEqual(DUISBURG))

it.each([
  ['51°26\'03.8"N 6°45\'44.3"E', '51.434389', '6.762306'],
  ['51°26′03.8″ N, 6°45′44.3″ O', '51.434389', '6.762306'],
  ['-33.8688, 151.2093', '-33.8688', '151.2093'],
  ['33.8688 S, 70.6693 W', '-33.8688', '-70.6693'],
  ['90, -180', '90', '-180'],
  ['52, 13', '52', '13'],
])('%s', (text, latitude, longitude) => expect(parseCoordinates(text)).toEqual({ latitude, longitude }))

it.each([
  '',
  '51.4344',
  '51,4344',
  '91, 6',
  '51, 181',
  '90.1, 6',
  'Duisburg',
  '51.4344, 6.7623, 30',
  '6.7623 E, 51.4344 N',
  '47119 Duisburg',
])('%s is no pair', (text) => expect(parseCoordinates(text)).toBeNull())
