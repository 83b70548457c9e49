/** The rules of the games in short, for people. */

import type { Section } from ".";

export const en: Record<string, Section[]> = {
  moon_river: [
    { title: "What it is about", text: [
      "Build a ranch beside the river out of dominoes. At the end every territory (plots of one landscape that touch) counts its plots times its cows.",
      "Nuggets, beavers and cobs are a point each. Gold diggers, trappers and farmers count them once more.",
    ] },
    { title: "Your turn", text: [
      "You get the plot under your ranchero. With two plots or more you may join two into a domino and build it, as often as you like.",
      "If you hold more than your storage has room for, you must build; if nothing fits, you discard two plots.",
      "Then you put your ranchero on a plot of the next column. Upper places play first in the next round.",
    ] },
    { title: "Where may I build?", text: [
      "Both halves lie on free cells next to each other, not on the camp.",
      "One half must lie on a bridge cell, or next to a plot of the same landscape that is already in your ranch. The two halves do not count for each other.",
    ] },
    { title: "Symbols", text: [
      "Cow: a cow comes onto the plot. Skull: one cow of that territory goes. Circle: you recruit a partner from the saloon.",
      "Corn: no cow may ever stand there.",
    ] },
    { title: "Partners", text: [
      "Desperado: swap one of your plots for one in another storage. Cattle thief: take a cow from a territory without a partner.",
      "Gold digger, trapper, farmer: one point for every nugget, beaver or cob of your ranch.",
      "Every token can also lie with its back up: a cowboy, who moves cows by up to three steps. Any partner protects the cows of its territory from thieves.",
    ] },
    { title: "The end", text: [
      "When no plots are left to draw, a last round is played. Then at most one cow stays on each plot, and all is counted.",
    ] },
    { title: "Legends of the West", text: [
      "Everybody has a board of their own with other bridges and storage, and all share a scenario: each group of three counts 10, and 10 more for each one beyond.",
      "Timber Rafting: forests, one at the river. Gold Rush: plots with nuggets. Outlaws: partners, a desperado or cattle thief among them. Moon River City: farms.",
    ] },
    { title: "Two players", text: [
      "Each has two rancheros and a ranch of ten rows. Whoever reaches the last row gets a bonus tile.",
    ] },
  ],
  goldgraeber: [
    { title: "What it is about", text: [
      "Dig for gold around Golden City and bring it home. Only what lies in your own house counts: gold by its value, captured robbers 2 each.",
    ] },
    { title: "Your turn", text: [
      "The die is rolled. With 2 to 6 you walk exactly that many fields. You may walk over diggers and chips, but not over the locomotive, and never straight back.",
      "The locomotive on the die moves the locomotive by one field; then you do not walk.",
    ] },
    { title: "Where you arrive", text: [
      "On a chip: it is turned up. Gold is yours, open in front of you. A robber fights you.",
      "In your own house, by its door and with the exact number: all you carry is safe.",
      "On another digger outside the city: a fight. In the city nobody fights.",
    ] },
    { title: "Fights", text: [
      "Against a robber you roll until the number differs from its strength. Higher: you capture it, with the chips under it. Lower: all you carry goes under it, and you walk away.",
      "Against a digger both roll. The higher one takes all that the other carries, and walks away.",
    ] },
    { title: "Rafts", text: [
      "Rafts take you from shore to shore of their lake at once. The next time you walk off onto land.",
    ] },
    { title: "The locomotive", text: [
      "If it reaches a digger, that player loses all open chips to whoever rolled, and the digger is pushed back.",
    ] },
    { title: "The end", text: [
      "The game ends at once when the locomotive reaches the city, or when no more chips lie face down than there are players.",
    ] },
    { title: "Prospecting", text: [
      "Instead of rolling you may look in secret at the chips next to your digger. Only you know what they are; all see where you looked.",
      "You may give up the roll where nothing new is to be seen, too, but not in two of your turns running.",
    ] },
  ],
};
