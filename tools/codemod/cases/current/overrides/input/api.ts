import { Entity } from '@data-client/rest';

export class Todo extends Entity {
  id = '';
  pk() {
    return this.id;
  }
  static override key = 'Todo';
}

export class Token extends Todo {
  address = '';
  static override process(value: Token) {
    return { ...value, address: value.address.toLowerCase() };
  }
}

export class Wallet extends Todo {
  amounts: number[] = [];
  static override merge(existing: Wallet, incoming: Wallet) {
    return { ...existing, ...incoming, amounts: [...existing.amounts, ...incoming.amounts] };
  }
}
