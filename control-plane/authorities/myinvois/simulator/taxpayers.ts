import type { Call, Reply } from '../../../simulation/server.ts';
import { tinPattern } from './code-lists.ts';
import { personalSchemes } from './document.ts';
import { type Identity, unknownTin } from './people.ts';
import { problem } from './wire.ts';
import type { World } from './world.ts';

/** GET taxpayer/validate: 200 without a body when TIN and registration belong together. */
export function validateTaxpayer({ params, query }: Call, _caller: Identity, world: World): Reply {
  const idType = query.get('idType') ?? '';
  const idValue = query.get('idValue') ?? '';
  if (!personalSchemes.includes(idType)) {
    return problem(400, 'BadArgument', 'Not one of NRIC, PASSPORT, BRN, ARMY.', 'idType');
  }
  if (idValue === '') return problem(400, 'BadArgument', 'A value is needed.', 'idValue');
  const tin = params.tin ?? '';
  if (!tinPattern.test(tin)) return problem(400, 'BadArgument', 'Not a TIN.', 'tin');
  const registered = world.people.taxpayers.get(tin);
  const belongs =
    registered === undefined || (registered.idType === idType && registered.idValue === idValue);
  return tin !== unknownTin && belongs
    ? { status: 200 }
    : problem(404, 'NotFound', 'No such taxpayer.');
}

/**
 * GET taxpayer/search/tin: by registration or by name, among the taxpayers the control API made
 * known.
 */
export function findTaxpayer({ query }: Call, _caller: Identity, world: World): Reply {
  const name = query.get('taxpayerName');
  const found = [...world.people.taxpayers.values()].filter((taxpayer) =>
    name === null
      ? taxpayer.idType === query.get('idType') && taxpayer.idValue === query.get('idValue')
      : taxpayer.name === name,
  );
  const [only] = found;
  if (only === undefined) return problem(404, 'NotFound', 'No such taxpayer.');
  return found.length > 1
    ? problem(400, 'BadArgument', 'More than one taxpayer has this name.', 'taxpayerName')
    : { status: 200, body: { tin: only.tin } };
}

/** GET taxpayers/qrcodeinfo: the code's text is, here, the taxpayer's TIN. */
export function scanQrCode({ params }: Call, _caller: Identity, world: World): Reply {
  const taxpayer = world.people.taxpayers.get(params.text ?? '');
  return taxpayer === undefined
    ? problem(404, 'NotFound', 'No such taxpayer.')
    : { status: 200, body: taxpayer };
}
